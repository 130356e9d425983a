// The model of bench/million.yaml in C++: what lbsim's runs are measured against. Both give the mean time of a request in ms.
//
// `bare` knows arrivals, two choices and queues alone. `full` does for each request what lbsim does there: priority and
// panic, circuit breakers, a connection of the host's pool, a time-out, retries by status, the proxy's counters, latency
// histograms by host and cluster. Its time-outs are of one length, so that they wait in a line and not in the queue of events.
#include <array>
#include <cmath>
#include <cstdint>
#include <deque>
#include <queue>
#include <random>
#include <vector>

namespace {

constexpr unsigned HOSTS = 100;
constexpr double GAP_MS = 0.1, SERVICE_MS = 8, TIMEOUT_MS = 15000;

struct Event {
  double at;
  uint64_t order;
  uint32_t kind, subject;
  bool operator<(const Event& other) const { return at > other.at || (at == other.at && order > other.order); }
};

struct Chance {
  std::mt19937_64 bits{1};
  uint64_t next() { return bits(); }
  double exponential(double mean) { return -std::log(1 - (bits() >> 11) * 0x1p-53) * mean; }
};

enum Kind : uint32_t { ARRIVAL, ANSWER };

// Bins that widen with the value: 90 to a power of ten.
struct Histogram {
  std::array<uint32_t, 1024> bins{};
  uint64_t count = 0;
  double sum = 0, max = 0;
  void add(double ms) {
    count++;
    sum += ms;
    if (ms > max) max = ms;
    const double us = ms * 1000 + 1;
    int exponent;
    const double mantissa = std::frexp(us, &exponent);
    bins[std::min(1023, exponent * 32 + static_cast<int>((mantissa - 0.5) * 64))]++;
  }
};

struct Counters {
  uint64_t total = 0, success = 0, error = 0, timeout = 0, retries = 0, overflow = 0, active = 0, pending = 0,
           connections = 0, codes[6] = {};
};

struct Request {
  double arrived, sent;
  uint32_t host, connection, attempt, generation;
  bool open;
};

struct Connection {
  uint32_t host, requests;
  bool busy;
};

struct Host {
  uint32_t active = 0, consecutive = 0;
  bool healthy = true, ejected = false;
  std::deque<uint32_t> waiting;
  std::vector<uint32_t> idle;
  Counters counters;
  Histogram latency;
  uint64_t phaseRequests = 0, phaseSuccess = 0;
};

class Full {
 public:
  explicit Full(uint64_t requests) : left(requests) { fleet.resize(HOSTS); }

  double run() {
    schedule(GAP_MS, ARRIVAL, 0);
    for (;;) {
      while (!timeouts.empty() && !isOpen(timeouts.front())) timeouts.pop_front();
      if (!timeouts.empty() && (events.empty() || timeouts.front().at < events.top().at)) {
        now = timeouts.front().at;
        end(timeouts.front().subject, 504);
        timeouts.pop_front();
        continue;
      }
      if (events.empty()) return cluster.sum / cluster.count;
      const Event event = events.top();
      events.pop();
      now = event.at;
      if (event.kind == ARRIVAL) arrive();
      else answer(event.subject);
    }
  }

 private:
  void schedule(double afterMs, Kind kind, uint32_t subject) { events.push({now + afterMs, order++, kind, subject}); }
  bool isOpen(const Event& timeout) const {
    const Request& request = requests[timeout.subject];
    return request.open && request.generation == timeout.kind;
  }

  void arrive() {
    uint32_t index;
    if (free.empty()) {
      index = requests.size();
      requests.push_back({});
    } else {
      index = free.back();
      free.pop_back();
    }
    Request& request = requests[index];
    request = {now, now, 0, 0, 0, request.generation + 1, true};
    timeouts.push_back({now + TIMEOUT_MS, order++, request.generation, index});
    if (--left > 0) schedule(chance.exponential(GAP_MS), ARRIVAL, 0);
    attempt(index);
  }

  void attempt(uint32_t index) {
    Request& request = requests[index];
    // The priority, then whether its hosts are too few.
    const uint64_t draw = chance.next() % 100;
    const bool panic = draw >= 100 || healthy * 2 < HOSTS;
    const uint64_t one = chance.next() % HOSTS, other = chance.next() % HOSTS;
    uint32_t chosen = fleet[other].active < fleet[one].active ? other : one;
    if (!panic && (!fleet[chosen].healthy || fleet[chosen].ejected)) chosen = one;
    Host& host = fleet[chosen];
    request.host = chosen;
    request.sent = now;
    if (all.active >= limits.requests || all.pending >= limits.pending) {
      all.overflow++;
      return end(index, 503);
    }
    all.total++;
    all.active++;
    host.counters.total++;
    host.counters.active++;
    host.phaseRequests++;
    host.active++;
    if (host.idle.empty()) {
      request.connection = connections.size();
      connections.push_back({chosen, 0, true});
      all.connections++;
      host.counters.connections++;
    } else {
      request.connection = host.idle.back();
      host.idle.pop_back();
    }
    connections[request.connection].busy = true;
    connections[request.connection].requests++;
    host.waiting.push_back(index);
    if (host.waiting.size() == 1) schedule(chance.exponential(SERVICE_MS), ANSWER, chosen);
  }

  void answer(uint32_t chosen) {
    Host& host = fleet[chosen];
    const uint32_t index = host.waiting.front();
    host.waiting.pop_front();
    if (!host.waiting.empty()) schedule(chance.exponential(SERVICE_MS), ANSWER, chosen);
    end(index, 200);
  }

  void end(uint32_t index, unsigned status) {
    Request& request = requests[index];
    Host& host = fleet[request.host];
    host.active--;
    all.active--;
    host.counters.active--;
    all.codes[status / 100]++;
    host.counters.codes[status / 100]++;
    connections[request.connection].busy = false;
    host.idle.push_back(request.connection);
    if (status < 500) {
      host.consecutive = 0;
      host.counters.success++;
      host.phaseSuccess++;
      all.success++;
      host.latency.add(now - request.sent);
    } else {
      host.consecutive++;
      host.counters.error++;
      all.error++;
      if (request.attempt++ < limits.retries) {
        all.retries++;
        return attempt(index);
      }
    }
    cluster.add(now - request.arrived);
    request.open = false;
    free.push_back(index);
  }

  struct {
    uint64_t requests = 1024, pending = 1024, retries = 0;
  } limits;
  Chance chance;
  double now = 0;
  uint64_t left, order = 0, healthy = HOSTS;
  std::priority_queue<Event> events;
  std::deque<Event> timeouts;
  std::vector<Request> requests;
  std::vector<uint32_t> free;
  std::vector<Connection> connections;
  std::vector<Host> fleet;
  Counters all;
  Histogram cluster;
};

}  // namespace

double simulateFull(uint64_t requests) { return Full(requests).run(); }

double simulateBare(uint64_t requests) {
  struct Due {
    double at;
    uint32_t host;
    bool operator<(const Due& other) const { return at > other.at; }
  };
  Chance chance;
  std::priority_queue<Due> events;
  std::vector<std::deque<double>> fleet(HOSTS);
  double total = 0;
  uint64_t sent = 0;
  events.push({chance.exponential(GAP_MS), HOSTS});
  while (!events.empty()) {
    const Due due = events.top();
    events.pop();
    if (due.host == HOSTS) {
      const uint64_t one = chance.next() % HOSTS, other = chance.next() % HOSTS;
      const uint32_t host = fleet[other].size() < fleet[one].size() ? other : one;
      fleet[host].push_back(due.at);
      if (fleet[host].size() == 1) events.push({due.at + chance.exponential(SERVICE_MS), host});
      if (++sent < requests) events.push({due.at + chance.exponential(GAP_MS), HOSTS});
    } else {
      auto& waiting = fleet[due.host];
      total += due.at - waiting.front();
      waiting.pop_front();
      if (!waiting.empty()) events.push({due.at + chance.exponential(SERVICE_MS), due.host});
    }
  }
  return total / requests;
}
