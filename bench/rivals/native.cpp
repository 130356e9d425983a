// The proxy's methods in C++, as compiled by `g++ -O3`: what lbsim is measured against.
//
// Reads a job a line, answers with a line: CPU nanoseconds of the job alone, and a checksum of its result. The same
// checksum from both sides says that both did the same work. What is done several times answers with the last result.
//
//   ring ENTRIES HOSTS TIMES      keys "<address>_<i>", XXH64, std::sort of {hash, host}
//   lookup ENTRIES HOSTS COUNT TIMES    std::lower_bound of given hashes
//   indexed ENTRIES HOSTS COUNT TIMES   the same by an index of the top bits, two entries a slot on average
//   keys ENTRIES HOSTS COUNT TIMES      XXH64 of "user-<i>", then std::lower_bound
//   maglev SLOTS HOSTS TIMES      offset and skip of each host, then the fill in turns
//   edf HOSTS PICKS               std::priority_queue of {deadline, order, host}
//   moves ENTRIES HOSTS COUNT TIMES     how many of given hashes go from which host to which when one leaves
//   full REQUESTS, bare REQUESTS  a simulation, see simulation.cpp; its answer is a mean
//
// XXH64 after Collet's specification 0.1.1; the fill after the Maglev paper, pseudocode 1.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <iostream>
#include <queue>
#include <sstream>
#include <string>
#include <vector>

double simulateFull(uint64_t requests);
double simulateBare(uint64_t requests);

namespace {

constexpr uint64_t P1 = 0x9E3779B185EBCA87ull, P2 = 0xC2B2AE3D27D4EB4Full, P3 = 0x165667B19E3779F9ull,
                   P4 = 0x85EBCA77C2B2AE63ull, P5 = 0x27D4EB2F165667C5ull;

inline uint64_t rotl(uint64_t value, int bits) { return (value << bits) | (value >> (64 - bits)); }
template <class Word> inline Word read(const char* at) {
  Word word;
  memcpy(&word, at, sizeof word);
  return word;
}
inline uint64_t mixed(uint64_t lane, uint64_t word) { return rotl(lane + word * P2, 31) * P1; }

uint64_t xxh64(const char* at, size_t length, uint64_t seed = 0) {
  const char* end = at + length;
  uint64_t hash;
  if (length >= 32) {
    uint64_t a = seed + P1 + P2, b = seed + P2, c = seed, d = seed - P1;
    for (; at + 32 <= end; at += 32) {
      a = mixed(a, read<uint64_t>(at));
      b = mixed(b, read<uint64_t>(at + 8));
      c = mixed(c, read<uint64_t>(at + 16));
      d = mixed(d, read<uint64_t>(at + 24));
    }
    hash = rotl(a, 1) + rotl(b, 7) + rotl(c, 12) + rotl(d, 18);
    for (uint64_t lane : {a, b, c, d}) hash = (hash ^ mixed(0, lane)) * P1 + P4;
  } else {
    hash = seed + P5;
  }
  hash += length;
  for (; at + 8 <= end; at += 8) hash = rotl(hash ^ mixed(0, read<uint64_t>(at)), 27) * P1 + P4;
  if (at + 4 <= end) {
    hash = rotl(hash ^ (read<uint32_t>(at) * P1), 23) * P2 + P3;
    at += 4;
  }
  for (; at < end; at++) hash = rotl(hash ^ (static_cast<unsigned char>(*at) * P5), 11) * P1;
  hash = (hash ^ (hash >> 33)) * P2;
  hash = (hash ^ (hash >> 29)) * P3;
  return hash ^ (hash >> 32);
}

struct Entry {
  uint64_t hash;
  uint32_t host;
};

std::vector<std::string> fleet(unsigned hosts) {
  std::vector<std::string> keys;
  for (unsigned i = 0; i < hosts; i++)
    keys.push_back("10." + std::to_string(i >> 16) + "." + std::to_string((i >> 8) & 255) + "." +
                   std::to_string(i & 255) + ":8080");
  return keys;
}

std::vector<Entry> buildRing(const std::vector<std::string>& keys, unsigned entries) {
  std::vector<Entry> ring;
  ring.reserve(entries + keys.size());
  const double scale = entries;
  double current = 0, target = 0;
  char text[64];
  for (uint32_t host = 0; host < keys.size(); host++) {
    target += scale * (1.0 / keys.size());
    memcpy(text, keys[host].data(), keys[host].size());
    text[keys[host].size()] = '_';
    for (unsigned i = 0; current < target; i++, current++) {
      const char* end = std::to_chars(text + keys[host].size() + 1, text + sizeof text, i).ptr;
      ring.push_back({xxh64(text, end - text), host});
    }
  }
  std::sort(ring.begin(), ring.end(), [](const Entry& a, const Entry& b) { return a.hash < b.hash; });
  return ring;
}

uint32_t choose(const std::vector<Entry>& ring, uint64_t hash) {
  auto found = std::lower_bound(ring.begin(), ring.end(), hash,
                                [](const Entry& entry, uint64_t value) { return entry.hash < value; });
  return (found == ring.end() ? ring.begin() : found)->host;
}

/// Where the entries of each slot begin, by the top bits of their hashes.
struct Index {
  unsigned shift;
  std::vector<uint32_t> begins;

  explicit Index(const std::vector<Entry>& ring) : shift(64) {
    while ((size_t{2} << (64 - shift)) < ring.size()) shift--;
    begins.reserve(size_t{1} << (64 - shift));
    for (uint32_t at = 0, slot = 0; slot < size_t{1} << (64 - shift); slot++) {
      while (at < ring.size() && ring[at].hash >> shift < slot) at++;
      begins.push_back(at);
    }
  }

  uint32_t choose(const std::vector<Entry>& ring, uint64_t hash) const {
    uint32_t at = begins[hash >> shift];
    while (at < ring.size() && ring[at].hash < hash) at++;
    return ring[at == ring.size() ? 0 : at].host;
  }
};

std::vector<uint32_t> buildMaglev(std::vector<std::string> keys, uint64_t slots) {
  struct Walk {
    uint64_t offset, skip, next;
    double target;
  };
  std::vector<Walk> walks;
  std::sort(keys.begin(), keys.end());
  for (const auto& key : keys)
    walks.push_back({xxh64(key.data(), key.size()) % slots, xxh64(key.data(), key.size(), 1) % (slots - 1) + 1, 0, 0});
  std::vector<uint32_t> table(slots, UINT32_MAX);
  uint64_t taken = 0;
  for (uint32_t round = 1; taken < slots; round++) {
    for (uint32_t host = 0; host < walks.size() && taken < slots; host++) {
      Walk& walk = walks[host];
      if (round * 1.0 < walk.target) continue;
      walk.target += 1.0;
      uint64_t slot = (walk.offset + walk.skip * walk.next) % slots;
      while (table[slot] != UINT32_MAX) slot = (walk.offset + walk.skip * ++walk.next) % slots;
      table[slot] = host;
      walk.next++;
      taken++;
    }
  }
  return table;
}

uint32_t edf(unsigned hosts, unsigned picks) {
  struct Due {
    double deadline;
    uint64_t order;
    uint32_t host;
    bool operator<(const Due& other) const {
      return deadline > other.deadline || (deadline == other.deadline && order > other.order);
    }
  };
  std::priority_queue<Due> queue;
  uint64_t order = 0;
  for (uint32_t host = 0; host < hosts; host++) queue.push({1.0 / (1 + host % 10), order++, host});
  uint32_t sum = 17;
  for (unsigned i = 0; i < picks; i++) {
    Due due = queue.top();
    queue.pop();
    sum = sum * 31 + due.host;
    queue.push({due.deadline + 1.0 / (1 + due.host % 10), order++, due.host});
  }
  return sum;
}

/** What lies there is needed: no pass can be left out. */
inline void done(const void* result) { asm volatile("" : : "r"(result) : "memory"); }

uint64_t cpuNanoseconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * 1000000000ull + time.tv_nsec;
}

}  // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string job;
    unsigned a = 0, b = 0, c = 0, d = 1;
    words >> job >> a >> b >> c >> d;
    uint32_t sum = 17;
    uint64_t begin = 0, end = 0;
    if (job == "ring") {
      const auto keys = fleet(b);
      begin = cpuNanoseconds();
      auto ring = buildRing(keys, a);
      for (unsigned more = c; more > 1; more--) ring = buildRing(keys, a);
      end = cpuNanoseconds();
      for (const auto& entry : ring)
        sum = ((sum * 31 + static_cast<uint32_t>(entry.hash)) * 31 + static_cast<uint32_t>(entry.hash >> 32)) * 31 +
              entry.host;
    } else if (job == "lookup" || job == "indexed" || job == "keys") {
      const auto ring = buildRing(fleet(b), a);
      const Index index(ring);
      std::vector<std::string> users;
      std::vector<uint64_t> hashes;
      for (unsigned i = 0; i < c; i++) {
        users.push_back("user-" + std::to_string(i));
        hashes.push_back(xxh64(users[i].data(), users[i].size()));
      }
      begin = cpuNanoseconds();
      for (unsigned pass = 0; pass < d; pass++) {
        sum = 17;
        if (job == "lookup")
          for (uint64_t hash : hashes) sum = sum * 31 + choose(ring, hash);
        else if (job == "indexed")
          for (uint64_t hash : hashes) sum = sum * 31 + index.choose(ring, hash);
        else
          for (const auto& user : users) sum = sum * 31 + choose(ring, xxh64(user.data(), user.size()));
        done(&sum);
      }
      end = cpuNanoseconds();
    } else if (job == "maglev") {
      const auto keys = fleet(b);
      begin = cpuNanoseconds();
      auto table = buildMaglev(keys, a);
      for (unsigned more = c; more > 1; more--) table = buildMaglev(keys, a);
      end = cpuNanoseconds();
      for (uint32_t host : table) sum = sum * 31 + host;
    } else if (job == "edf") {
      begin = cpuNanoseconds();
      sum = edf(a, b);
      end = cpuNanoseconds();
    } else if (job == "moves") {
      auto keys = fleet(b);
      const auto before = buildRing(keys, a);
      keys.erase(keys.begin() + b / 2);
      const auto after = buildRing(keys, a);
      std::vector<uint64_t> hashes;
      for (unsigned i = 0; i < c; i++) {
        const std::string user = "user-" + std::to_string(i);
        hashes.push_back(xxh64(user.data(), user.size()));
      }
      begin = cpuNanoseconds();
      std::vector<uint32_t> matrix;
      for (unsigned pass = 0; pass < d; pass++) {
        matrix.assign(b * (b - 1), 0);
        for (uint64_t hash : hashes) matrix[choose(before, hash) * (b - 1) + choose(after, hash)]++;
        done(matrix.data());
      }
      end = cpuNanoseconds();
      for (uint32_t count : matrix) sum = sum * 31 + count;
    } else if (job == "full" || job == "bare") {
      begin = cpuNanoseconds();
      const double mean = job == "full" ? simulateFull(a) : simulateBare(a);
      end = cpuNanoseconds();
      std::cout << end - begin << ' ' << mean << std::endl;
      continue;
    } else {
      std::cout << '-' << std::endl;
      continue;
    }
    std::cout << end - begin << ' ' << sum << std::endl;
  }
}
