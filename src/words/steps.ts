import type { ExplainStep } from '../analysis/explain/explanation.js';
import { count, counted, millis, seconds } from '../core/words.js';
import type { RetryVerdictInputs } from '../simulation/request-story.js';
import { emptyTableText } from '../scenario/lint/locality-rules.js';
import { gateText, hosts } from './reasons.js';

type Kind = ExplainStep['kind'];
type Inputs<Of extends Kind> = Extract<ExplainStep, { kind: Of }>['inputs'];

/** A step in words. */
export interface StepWords {
  /** A word for it: priority, panic, zone … */
  readonly step: string;
  /** The rule, as it holds for every request. */
  readonly rule: string;
  /** The outcome for this request. */
  readonly outcome: string;
}

/** Of each kind of step its word, its rule, and its outcome. */
type Writer<Of extends Kind> = (inputs: Inputs<Of>) => readonly [step: string, rule: string, outcome: string];

const ZONE = 'Priority 0 is routed by zone where a local cluster is known and no gate says otherwise.';
const NO_HOST = 'no host';

const WRITERS: { readonly [Of in Kind]: Writer<Of> } = {
  // Balancers.
  priority: (of) => [
    'priority',
    'The value mod 100 falls into the loads, laid end to end: healthy hosts of all priorities in order, then degraded ones.',
    priorityText(of),
  ],
  panic: (of) => [
    'panic',
    'A level panics where fewer of its hosts are available than the threshold says, and all levels together cannot carry the load. It was judged at the last update.',
    panicText(of),
  ],
  locality: ({ localities, effective_weights: weights, locality }) => [
    'locality',
    'Localities take turns, each as often as its weight says, less as soon as too few of its hosts are healthy.',
    `it is the turn of ${locality} (weights ${localities
      .map((name, index) => `${name} ${Number((weights?.[index] ?? 0).toPrecision(4))}`)
      .join(', ')})`,
  ],
  zone_off: (off) => ['zone', ZONE, `not routed by zone: ${gateText(off)}`],
  zone_direct: ({ zone, forced }) => [
    'zone',
    ZONE,
    `all of it stays in zone ${zone}: ${
      forced ? 'it is forced to' : 'it has at least the part of the hosts that it has of the proxies'
    }`,
  ],
  zone_residual: ({ own_zone: own, zone, local_percent_to_route: local, stays }) => [
    'zone',
    ZONE,
    `zone ${own} keeps ${local / 100} %: ${stays ? 'it stays there' : `this one goes to zone ${zone}, by what is left there`}`,
  ],
  list: (of) => ['list', 'The policy chooses inside one list.', listText(of)],
  hash: ({ hash, source }) => [
    'hash',
    'One hash chooses the priority and the place in the table; where a request has none, a random value does.',
    `${HASH_SOURCES[source]} ${hash}`,
  ],
  subset: (of) => [
    'subset',
    'A request goes to the subset of exactly the keys and values that it asks for.',
    subsetText(of),
  ],
  fallback: ({ fallback, subset, hosts: some }) => [
    'fallback',
    'Where there is no such subset, the selector’s fallback rules, or else the cluster’s.',
    subset === null ? `${fallback}: no host is asked` : `${fallback}: the subset "${subset}" answers, ${some} hosts`,
  ],
  only_host: ({ host }) => [
    'host',
    'A subset of single_host_per_subset gives its first host, whatever its health; no policy is asked.',
    `its first host is ${host}`,
  ],
  client_subset: ({ client, clients, used, hosts: all }) => [
    'client subset',
    'A client uses a part of the hosts, which follows from its number among the clients.',
    `client ${client} of ${clients} uses ${used} of ${hosts(all)}`,
  ],
  named_host: ({ headers, host }) => [
    'named host',
    'A request may name its host in a header; that one is taken whatever its health.',
    `${headers.join(' or ')} names ${host ?? 'no host of the cluster'}`,
  ],
  owner: ({ host, empty }) => [
    'host',
    'The host that owns the place in the table serves the hash.',
    host === null
      ? `${empty === undefined ? 'the table is empty' : emptyTableText(empty.why, empty.policy, empty.priority)}: no host is chosen`
      : `it belongs to ${host}`,
  ],
  bound: ({ hash_balance_factor: factor, hashed, hashed_load: load, taken, taken_load: takenLoad, kept }) => [
    'bounded load',
    `A host takes no more than ${factor} % of the mean load; beyond it, hosts are asked in an order that belongs to the hash.`,
    `${hashed} is at ${Number(load.toFixed(3))} of what it may have: ${
      kept ? 'it is kept' : `it goes on to ${taken}, at ${Number(takenLoad.toFixed(3))}`
    }`,
  ],
  drop: ({ drop_ratio: ratio }) => [
    'drop',
    'drop_overloads drops a part of all requests before any host is asked.',
    `${Number((100 * ratio).toFixed(2))} % of the requests are dropped; this one is not`,
  ],

  // Policies.
  turn: ({ turn, hosts: some, index, host }) => [
    'host',
    'Hosts of equal weight take turns; the count goes on from where the worker began it, at a random place.',
    `turn ${turn} mod ${some} is ${index}: ${host ?? NO_HOST}`,
  ],
  schedule: ({ by, weights, host }) => [
    'host',
    `Hosts of different weights are scheduled: who has waited longest for its next turn, 1 / ${
      by === 'weight' ? 'weight' : 'weight / (active requests + 1)'
    } apart, is next.`,
    `the schedule${weights === undefined ? '' : ` of weights ${weights.join(', ')}`} is at ${host ?? NO_HOST}`,
  ],
  candidate: ({ hosts: some, index, host, active_requests: active, fewest }) => [
    'candidate',
    'Hosts are drawn, and the one with the fewest active requests is taken, the first of those that tie.',
    `the draw mod ${some} is ${index}: ${host ?? NO_HOST} has ${active} active requests${
      fewest === null ? '' : active < fewest ? `, fewer than ${fewest}: it leads` : `, not fewer than ${fewest}`
    }`,
  ],
  fewest: ({ host, active_requests: active, drawn }) => [
    'host',
    'Of the hosts that were drawn, the one with the fewest active requests, the first of those that tie.',
    `of ${drawn} drawn, ${host ?? NO_HOST} has the fewest active requests, ${active}`,
  ],
  scan: ({ host, active_requests: active, tied }) => [
    'host',
    'All hosts are looked at; among those with the fewest active requests one is drawn.',
    `${host ?? NO_HOST} has the fewest active requests, ${active}${tied > 1 ? `, one of ${tied} that tie, drawn among them` : ''}`,
  ],
  drawn: ({ value, hosts: some, index, host, reused }) => [
    'host',
    `Any host, whatever its weight: ${reused ? 'the value that has chosen the priority, once more' : 'a draw of its own'}.`,
    `${value} mod ${some} is ${index}: ${host ?? NO_HOST}`,
  ],
  own: ({ policy, host }) => [
    'host',
    `${policy} chooses by what it knows of its hosts; it is not the proxy's.`,
    `${policy} takes ${host ?? 'none of them'}`,
  ],
  probes: (of) => [
    'probes',
    'Hosts that said that they have more requests than most are hot. Of the cold the fastest is taken; if all are hot, the one with the fewest requests.',
    probesText(of),
  ],
  slot: ({ slot, slots }) => [
    'table',
    'The hash modulo the number of slots is the slot.',
    `the hash mod ${slots} is slot ${slot}`,
  ],
  ring: ({ entry, entries, position, wrapped }) => [
    'table',
    'The first entry of the ring at or after the hash; after the last one comes the first.',
    `entry ${entry} of ${entries} on the ring, at ${position}, is ${
      wrapped ? 'the first one: the circle closes' : 'the next at or after it'
    }`,
  ],

  // What happens to a request.
  route: (of) => [
    'route',
    'A route leads to a cluster, or to one of several by weight; a request stays with the worker that accepted it.',
    routeText(of),
  ],
  predicate: ({ host, rejected_by: by, host_selection_retry_max_attempts: again }) => [
    'predicate',
    'A retry asks the balancer again for a host that no retry_host_predicate rejects, up to host_selection_retry_max_attempts times; after that it takes what it gets.',
    `${by.join(' and ')} rejects ${host}: asked again, at most ${counted(again, 'time')}`,
  ],
  pool: (of) => [
    of.outcome === 'sent' || of.outcome === 'pending' ? 'pool' : 'breaker',
    'An idle connection to the host takes the request; without one it waits while one is opened, as circuit breakers allow.',
    poolText(of),
  ],
  no_host: () => [
    'no host',
    'Without a host the proxy answers 503 (no healthy upstream), and does not retry.',
    'the balancer has no host: 503',
  ],
  sent: ({ waited_ms: waited, active_requests: active, host, lost }) => [
    'sent',
    'From now on it counts as an active request of the host, and the time of a try runs.',
    `${waited > 0 ? `it has its connection after ${time(waited)} and` : 'it'} is sent to ${host}${
      active > 1 ? `, which has ${counted(active - 1, 'other request')} open` : ''
    }${lost ? '; the host is down, and no answer will come' : ''}`,
  ],
  queue: ({ in_service: places, queued, refused_with: status }) => [
    'queue',
    'A host works on as many requests at once as its concurrency says; others wait in its queue, those that their proxies gave up among them, or are refused.',
    `${places === 1 ? 'the only place of the host is' : `all ${count(places)} places of the host are`} taken${
      status === undefined
        ? `: it waits behind ${counted(queued, 'other')}`
        : ` and its queue is full: answered ${status} at once`
    }`,
  ],
  service: ({ service_ms: takes, status, waited_ms: waited }) => [
    'service',
    'Service times, errors and wire times are drawn as the behaviour of the host says.',
    `the host begins on it${waited > 0 ? ` after ${time(waited)}` : ''}: it takes ${time(takes)} and answers ${status}`,
  ],
  answer: ({ status, after_ms: after }) => [
    'answer',
    'The answer is counted for the host, and judged by the retry policy.',
    `the answer ${status} is there, ${time(after)} after it was sent`,
  ],
  failure: (of) => ['failure', 'An attempt that fails without an answer may be retried.', failureText(of)],
  retry: (of) => [
    'retry',
    'retry_on names what is worth another attempt, num_retries how many there may be, and a circuit breaker (max_retries or a retry budget) how many at once; before each comes a back-off.',
    `retry_on ${of.retry_on} ${of.verdict === 'not-covered' ? 'does not cover' : 'covers'} ${of.result}${verdictText(of, of.num_retries)}`,
  ],
  end: ({ status, outcome, latency_ms: latency }) => [
    'end',
    'The client has its answer, whoever gave it.',
    `the client has ${status} after ${time(latency)}${ENDS[outcome]}`,
  ],
  time_out: ({ timeout_ms: timeout, after_ms: after }) => [
    'time-out',
    'The time of a request includes all its attempts and waits; when it is over the proxy answers 504.',
    `its time of ${time(timeout)} is over, ${time(after)} after it came`,
  ],
};

export function stepWords(of: ExplainStep): StepWords {
  const write = WRITERS[of.kind] as Writer<Kind>;
  const [step, rule, outcome] = write(of.inputs);
  return { step, rule, outcome };
}

function time(ms: number): string {
  return ms < 1000 ? millis(ms) : seconds(ms / 1000);
}

function priorityText(of: Inputs<'priority'>): string {
  const { value_mod_100: point, healthy_load: healthy, degraded_load: degraded, priority, member } = of;
  const name = member === undefined ? `priority ${priority}` : `${member.cluster}, its priority ${member.priority}`;
  if (healthy[0] === 100) return `${name} has all of the load`;
  const [whose, loads] = of.degraded ? ['degraded', degraded] : ['healthy', healthy];
  const laid = [
    ...healthy.map((value, level) => `${level}: ${value} %`),
    ...degraded.flatMap((value, level) => (value > 0 ? [`${level} degraded: ${value} %`] : [])),
  ].join(', ');
  return `${point} of 0–99 falls to the ${whose} hosts of ${name}, which get ${loads[priority] ?? 0} % (loads ${laid})`;
}

const PANIC_EFFECTS = {
  all_hosts: 'all its hosts are used, whatever their health',
  no_host: 'and fail_traffic_on_panic is set: no host is chosen',
  whole_table: 'its table holds all hosts, whatever their health',
} as const satisfies Record<Inputs<'panic'>['effect'], string>;

function panicText(of: Inputs<'panic'>): string {
  const { available, counted: all, available_percent: percent, threshold, health_of_all_levels: total } = of;
  if (of.hosts === 0) return 'it has no hosts';
  const have = `${available} of ${all} ${all === 1 ? 'host' : 'hosts'} available is ${Number(percent.toFixed(1))} %`;
  if (of.panic) return `${have}, below ${threshold} %: panic, ${PANIC_EFFECTS[of.effect]}`;
  if (percent >= threshold) return `${have}, not below ${threshold} %: no panic`;
  return `${have}, below ${threshold} %, but all levels together have ${total} %: no panic`;
}

function listText({ list, hosts: some, locality }: Inputs<'list'>): string {
  const where = locality === undefined ? '' : ` of ${locality}`;
  const kind = list === 'all' ? '' : `${list} `;
  if (some === 0) return `there is no ${kind}host${where}: none is chosen`;
  if (some === 1) return `the only ${kind}host${where}`;
  return `one of ${some} ${kind}hosts${where}${list === 'all' ? ', whatever their health' : ''}`;
}

const HASH_SOURCES = {
  own: 'the policy’s own hash_policy gives',
  route: 'the route’s hash policy gives',
  drawn: 'the request has no hash; drawn instead is',
} as const satisfies Record<Inputs<'hash'>['source'], string>;

function subsetText({ subset, hosts: some, passed_over: passedOver }: Inputs<'subset'>): string {
  if (some === null) return `no host is in the subset ${subset}`;
  return passedOver ? `the only host of the subset ${subset} is unhealthy` : `the subset ${subset} has ${hosts(some)}`;
}

function probesText({ pool, cold, in_flight: inFlight, latency_us: latencyUs, host }: Inputs<'probes'>): string {
  const of = `${hosts(pool)} that answered of late`;
  return cold === 0
    ? `all of ${of} are hot; ${host} has the fewest requests, ${inFlight}`
    : `of ${of}, ${cold} ${cold === 1 ? 'is' : 'are'} cold; of them ${host} has the lowest latency, ${latencyUs / 1000} ms`;
}

function routeText(of: Inputs<'route'>): string {
  const { workload, proxy, worker, cluster, route, timeout_ms: timeout, per_try_timeout_ms: perTry } = of;
  const from = workload === null ? 'an explicit request' : `a request of ${workload}`;
  const weights = route.map((one) => `${one.cluster} ${one.weight}`).join(' : ');
  const how = route.length > 1 ? `, drawn by the weights ${weights}` : '';
  const retries =
    of.num_retries === 0 ? 'no retries' : `${counted(of.num_retries, 'retry', 'retries')} on ${of.retry_on.join(',')}`;
  const limits = [
    timeout > 0 ? `time-out ${time(timeout)}` : 'no time-out',
    ...(perTry > 0 ? [`${time(perTry)} a try`] : []),
    retries,
  ];
  return `${from} at ${proxy}, worker ${worker}, goes to ${cluster}${how} (${limits.join(', ')})`;
}

function poolText(of: Inputs<'pool'>): string {
  const within = (current: number, noun: string, limit: number): string =>
    `${count(current)} of at most ${counted(limit, noun)}`;
  switch (of.outcome) {
    case 'sent':
      return `a connection to ${of.host} is free${
        of.limits_requests ? ` (${within(of.active, 'active request', of.max_requests)})` : ''
      }`;
    case 'pending': {
      const waiting = `${within(of.pending, 'request', of.max_pending_requests)} waiting`;
      return `no connection to ${of.host} is free: it waits for one (${waiting}, ${within(of.connections, 'connection', of.max_connections)})`;
    }
    case 'overflow':
      return `${count(of.pending)} requests wait already, max_pending_requests is ${count(of.max_pending_requests)}: turned away with 503`;
    case 'too-many-active':
      return `${count(of.active)} requests are active, max_requests is ${count(of.max_requests)}: turned away with 503`;
  }
}

function failureText({ cause, host, per_try_timeout_ms: perTry }: Inputs<'failure'>): string {
  const address = host ?? 'its host';
  switch (cause) {
    case 'connect-failure':
      return `${address} refuses the connection that it waited for`;
    case 'connect-timeout':
      return `the connection to ${address} was not made within connect_timeout`;
    case 'reset':
      return `the connection to ${address} breaks`;
    case 'per-try-timeout':
      return `per_try_timeout, ${time(perTry)}, is over without an answer`;
  }
}

function verdictText(of: RetryVerdictInputs, most: number): string {
  switch (of.verdict) {
    case 'not-covered':
      return ': no retry';
    case 'used-up':
      return `, but num_retries ${most} ${most === 1 ? 'is' : 'are'} used up`;
    case 'refused': {
      const limit = of.by === 'budget' ? 'the retry budget allows' : 'max_retries is';
      return `, but ${counted(of.active, 'retry', 'retries')} are under way and ${limit} ${count(of.allowed)}: refused`;
    }
    case 'granted': {
      const keeps = of.goes_by.length === 0 ? '' : `, and goes by ${of.goes_by.join(', ')}`;
      const wait = of.wait === 'asked_for' ? 'as the answer asks for' : 'drawn from the back-off';
      return `: retry ${of.retry} of ${most} comes after ${time(of.wait_ms)}, ${wait}${keeps}`;
    }
  }
}

const ENDS = {
  answered: '',
  no_host: ': no host was found',
  overflow: ': a circuit breaker was open',
  connect_failure: ': no connection could be made',
  reset: ': the connection broke',
  timeout: ': time was over',
  drop_overload: ': drop_overloads dropped it before anybody was asked',
  no_cluster: ': the proxy does not know the cluster',
} as const satisfies Record<Inputs<'end'>['outcome'], string>;
