import type { WhyNotFact } from '../analysis/explain/why-not.js';
import { happeningText } from './happenings.js';
import { unreachable } from '../core/assert.js';
import { count, counted, decimal, listed, millis, percent as shareText, seconds } from '../core/words.js';
import type { BalancerStep } from '../hostset/decision-steps.js';
import type { Cover, LevelLoad } from '../hostset/split-facts.js';
import type { Fact, LoadBasis, LoadCause, SlowStartFact } from '../result/facts.js';
import { emptyTableText } from '../scenario/lint/locality-rules.js';

type Of<Kind extends Fact['kind']> = Extract<Fact, { kind: Kind }>;

/** The sentences of a split or a run, each without a capital letter and full stop. */
export function reasonTexts(facts: readonly Fact[]): string[] {
  return facts.map(reasonText);
}

/** One fact as a sentence, with the subset and the proxies that it holds for. */
export function reasonText(fact: Fact): string {
  const subset = 'subset' in fact ? fact.subset : undefined;
  const proxies = 'proxies' in fact && fact.kind !== 'several_rotations' ? fact.proxies : undefined;
  const text = subset === undefined ? plainText(fact) : `${subsetName(subset)}: ${plainText(fact)}`;
  return proxies === undefined ? text : `${text} (${proxies.join(', ')})`;
}

/** As {@link reasonText}, where the share that it explains is told already. */
export function whyText(fact: Fact): string {
  return fact.kind === 'load_feedback' ? feedbackText(fact, fact.host) : reasonText(fact);
}

/** As {@link reasonText}, where it is said already that requests fail. */
export function failureText(fact: Fact): string {
  return fact.kind === 'no_hosts' && fact.proxies === undefined ? NO_HOSTS[fact.of] : reasonText(fact);
}

const NO_HOSTS = {
  cluster: 'no hosts',
  members: 'no member has hosts',
  unknown_cluster: 'the proxies do not know the cluster',
} as const satisfies Record<Of<'no_hosts'>['of'], string>;

function plainText(fact: Fact): string {
  switch (fact.kind) {
    case 'no_hosts':
      return `${NO_HOSTS[fact.of]}: every request fails`;
    case 'members':
      return membersText(fact);
    case 'empty_table':
      return emptyTableText(fact.why, fact.policy, fact.priority);
    case 'panic':
      return `panic${inPriority(fact)}: ${have(fact)}, below the threshold of ${fact.threshold} %: ${
        fact.effect === 'no_host'
          ? 'fail_traffic_on_panic is set, so no host is picked'
          : 'all its hosts are used, whatever their health'
      }`;
    case 'no_host_available':
      return `no host available${inPriority(fact)}: ${
        fact.threshold === 0
          ? 'the panic threshold is 0 %, so no host is picked there'
          : 'its load goes to other priorities'
      }`;
    case 'no_panic':
      return `no panic${inPriority(fact)}: ${have(fact)}, ${
        fact.all_levels_percent === undefined
          ? `the threshold is ${fact.threshold} %`
          : `but all priorities together reach ${fact.all_levels_percent} %`
      }`;
    case 'total_panic':
      return `total panic: load follows the number of hosts, ${loadsText(fact.levels)}`;
    case 'spill':
      return spillText(fact);
    case 'degraded':
      return `degraded${inPriority(fact)}: ${degradedText(fact)}`;
    case 'excluded':
      return `excluded${inPriority(fact)}: ${hosts(fact.hosts)} in no denominator`;
    case 'zone_off':
      return `zone routing off: ${gateText(fact)}`;
    case 'zone':
      return zoneText(fact);
    case 'zones_without_degraded':
      return 'zone routing places requests for degraded hosts too: in a zone without any they find no host';
    case 'localities':
      return `localities${inPriority(fact)} share ${
        fact.share === 'table' ? 'the table by weights' : 'by effective weights'
      } ${fact.weights.map((weight) => String(Number(weight.toPrecision(4)))).join(' : ')}`;
    case 'named_host':
      return `requests that name a host in ${fact.headers.join(' or ')} go there, whatever its health`;
    case 'fallback':
      return fallbackText(fact);
    case 'slow_start':
      return slowStartText(fact);
    case 'names_by_addresses':
      return namesText(fact);
    case 'first_address':
      return `LOGICAL_DNS: of the ${addresses(fact.addresses)} of its name it uses the first, ${fact.used}, and no other`;
    case 'load_feedback':
      return loadText(fact);
    case 'restarted_turns':
      return `every update restarts the rotation: the turn of ${fact.host} comes after about ${count(fact.before)} requests, but between two updates there are ${count(fact.longest)} at most; it got ${count(fact.got)} instead of ${count(fact.due)}`;
    case 'several_rotations':
      return rotationsText(fact);
    case 'ejection_times':
      return ejectionText(fact);
    case 'ejections_refused':
      return `outlier detection would have ejected ${counted(fact.times, 'time')} more${inProxy(fact)}: max_ejection_percent, ${fact.max_ejection_percent} %, lets ${count(fact.may_be_out)} of ${counted(fact.hosts, 'host')} be out`;
    case 'retries_refused':
      return retriesText(fact);
    case 'default_limits':
      return limitsText(fact);
    default:
      return unreachable(fact);
  }
}

// --- how a cluster splits --------------------------------------------------------------------------------------------

function subsetName(subset: string): string {
  if (subset === 'default') return 'default subset';
  return subset === 'any' ? 'any host' : `subset ${subset}`;
}

function percent(value: number): string {
  return `${Number.isInteger(value) ? value : value.toFixed(1)} %`;
}

export function hosts(value: number): string {
  return value === 1 ? '1 host' : `${value} hosts`;
}

function inPriority({ priority }: { readonly priority?: number }): string {
  return priority === undefined ? '' : ` in priority ${priority}`;
}

export function gateText(off: Extract<BalancerStep, { kind: 'zone_off' }>['inputs']): string {
  switch (off.gate) {
    case 'not-computed':
      return 'the local cluster has no hosts yet';
    case 'upstream-zones':
      return `the cluster is in ${off.zones} of at least ${off.needed} zones`;
    case 'local-zones':
      return `the local cluster is in ${off.zones} of at least ${off.needed} zones`;
    case 'no-local-hosts':
      return "the local cluster has no host in the proxy's zone";
    case 'no-upstream-local-hosts':
      return "the cluster has no healthy host in the proxy's zone";
    case 'zone-number-differs':
      return `the cluster is in ${off.upstream_zones} zones, the local cluster in ${off.local_zones}`;
    case 'cluster-too-small':
      return `${off.healthy_hosts} healthy hosts < min_cluster_size ${off.min_cluster_size}`;
    case 'routing-enabled':
      return 'routing_enabled is 0 %';
    case 'not-drawn':
      return `routing_enabled is ${off.enabled_percent} %, and this one is of the others`;
    case 'local-cluster-in-panic':
      return 'the local cluster is in panic';
  }
}

function have({ available, counted: of, available_percent: part }: Of<'panic'> | Of<'no_panic'>): string {
  return `${available} of ${of} hosts available is ${percent(part)}`;
}

/** "2 of 4 healthy × 1.4 covers 70 %" */
function coverText({ healthy, counted: of, by_weight: byWeight, factor, percent: covers }: Cover): string {
  return `${byWeight ? 'weight ' : ''}${healthy} of ${of} healthy × ${factor} covers ${percent(covers)}`;
}

function loadsText(levels: readonly LevelLoad[]): string {
  return levels.map(({ priority, load }) => `priority ${priority} gets ${load} %`).join(', ');
}

function membersText({ levels, total_panic: totalPanic, cover }: Of<'members'>): string {
  const severalIn = new Set(levels.filter(({ priority }) => priority > 0).map(({ cluster }) => cluster));
  const loads = levels.map(
    ({ cluster, priority, load }) =>
      `${severalIn.has(cluster) ? `${cluster} priority ${priority}` : cluster} gets ${load} %`,
  );
  const shares = `levels in a row: ${loads.join(', ')}`;
  if (totalPanic) return `total panic: load follows the number of hosts; ${shares}`;
  return cover === undefined ? shares : `${shares}; ${coverText(cover)} of ${levels[0]?.cluster ?? ''}`;
}

function spillText({ levels, cover, scaled }: Of<'spill'>): string {
  const covers = `spill: ${coverText(cover)} of priority ${levels[0]?.priority ?? 0}`;
  if (scaled === undefined) return [covers, loadsText(levels)].join('; ');
  const { other_levels: others, others_percent: part, total_percent: total, rest_percent: rest } = scaled;
  const name = others === 1 ? 'the other priority covers' : 'the other priorities cover';
  const left = rest > 0 ? `, and rounding leaves ${rest} % to the first` : '';
  return [covers, `${name} ${part} %: scaled from ${total} to 100 %${left}`, loadsText(levels)].join('; ');
}

function degradedText({ hosts: some, get, policy, healthy_load, degraded_load }: Of<'degraded'>): string {
  switch (get) {
    case 'no_entry':
      return `${hosts(some)} in no ${policy} table, which holds healthy hosts only`;
    case 'nothing':
      return `nothing for ${hosts(some)}, the healthy ones cover the load`;
    case 'load':
      return `healthy hosts cover ${healthy_load} %, degraded ones get ${degraded_load} %`;
  }
}

function zoneText({ enabled_percent: enabled, stays, local_percent: local = 0, elsewhere }: Of<'zone'>): string {
  const routing = enabled < 100 ? `zone routing for ${enabled} % of the requests` : 'zone routing';
  switch (stays) {
    case 'all':
      return `${routing}: everything stays in the own zone`;
    case 'forced':
      return `${routing}: forced into the own zone`;
    case 'part': {
      const rest =
        elsewhere === 'spare' ? 'goes where capacity is left' : 'goes to any zone, as none has capacity left';
      return `${routing}: ${percent(local)} stay in the own zone, the rest ${rest}`;
    }
  }
}

function fallbackText({ wanted, why, chain }: Of<'fallback'>): string {
  const begins = {
    nothing_asked: 'requests that ask for no subset',
    fallback_list: 'requests with a fallback_list',
    empty: `subset ${wanted} is empty`,
    no_selector: `no selector has exactly the keys of ${wanted}`,
  } as const satisfies Record<typeof why, string>;
  const named = (subset: string): string => (subset === 'default' ? 'the default subset' : subsetName(subset));
  const empty = chain.filter((one) => one.empty).map(({ subset }) => `${named(subset)} is empty`);
  const answers = chain.filter((one) => !one.empty).map(({ subset }) => named(subset));
  const last = answers.length === 0 ? 'no host is asked' : `${answers.join(', else ')} answers`;
  const then = why === 'empty' || why === 'no_selector' ? ', so' : ':';
  return `${begins[why]}${then} ${[...empty, last].join(', ')}`;
}

function slowStartText({ hosts: growing, newest, part, half_part, half_s, full_s }: SlowStartFact): string {
  const who = growing === 1 ? newest : `${counted(growing, 'host')} grow; the newest, ${newest},`;
  const now = `${decimal(100 * part, 1)} % of its weight`;
  return `slow start: ${who} counts ${now}, ${decimal(100 * half_part, 1)} % at ${seconds(half_s)}, all of it from ${seconds(full_s)}`;
}

// --- the numbers of a run --------------------------------------------------------------------------------------------

function inProxy({ proxy }: { readonly proxy?: string }): string {
  return proxy === undefined ? '' : ` in ${proxy}`;
}

function addresses(value: number): string {
  return counted(value, 'address', 'addresses');
}

function namesText({ uses_weights: usesWeights, names }: Of<'names_by_addresses'>): string {
  const parts = names.map(({ name, addresses: own, weight, share }) => {
    const each = usesWeights ? ` × weight ${count(weight)}` : '';
    return `${name} ${addresses(own)}${each} = ${shareText(share)}`;
  });
  const weights = usesWeights ? ' with the weight of the name' : '';
  return `STRICT_DNS: every address that a name resolves to is a host${weights}: ${parts.join(', ')}`;
}

function loadText(fact: Of<'load_feedback'>): string {
  const { host, share, of_locality: ofLocality, from_s: from, to_s: to, fair_share: fair } = fact;
  const compared = ofLocality ? ' of the requests of its locality' : '';
  const when = from === undefined || to === undefined ? '' : ` from ${seconds(from)} to ${seconds(to)}`;
  const rule = fact.by_weight ? `instead of ${shareText(fair)} by its weight` : `instead of an even ${shareText(fair)}`;
  return `${host} gets ${shareText(share)}${compared}${when}, ${rule}: ${feedbackText(fact, 'it')}`;
}

function feedbackText({ policy, basis, because }: Of<'load_feedback'>, host: string): string {
  return `${policy} goes by ${BASES[basis]}, and ${loadCauseText(because, host)}`;
}

const BASES: Readonly<Record<LoadBasis, string>> = {
  open_requests: 'open requests',
  open_requests_and_answers: 'open requests and earlier answers',
  probes: 'what hosts say when they are asked',
};

function loadCauseText(cause: LoadCause, host: string): string {
  const failing = (share: number): string => `${shareText(share)} of its ${count(cause.attempts)} attempts fail`;
  switch (cause.why) {
    case 'fails_over_run':
      return `${shareText(cause.failed_share)} of its ${counted(cause.attempts, 'attempt')} in the run fail`;
    case 'fails_at_once':
      return `${failing(cause.failed_share)} at once, so that it has none open`;
    case 'latency': {
      const { own_ms: own, others_ms: others, failed_share: failed } = cause;
      const also = failed === undefined ? '' : `; ${failing(failed)}`;
      return `${host} answers in ${millis(own)}, the others in ${millis(others)}${also}`;
    }
    case 'unanswered': {
      const attempts = counted(cause.attempts, 'attempt');
      return `${count(cause.unanswered)} of its ${attempts} had no answer: they were open until they ended`;
    }
  }
}

function rotationsText({ rotations, proxies, least, most, mean }: Of<'several_rotations'>): string {
  const each = `each ${proxies === 1 ? 'worker' : 'worker of every proxy'} takes turns by itself, from a start drawn by the seed`;
  const far = `${count(rotations)} rotations may differ by ${counted(rotations, 'request')} a host`;
  return `${each}: ${far}, and here equal hosts get ${count(least)} to ${count(most)} around a mean of ${decimal(mean, 1)}`;
}

/** More hosts than this are counted, not named. */
const MAX_NAMED = 3;

function ejectionText({ hosts: out, out_s: times, proxy, rule }: Of<'ejection_times'>): string {
  const names = out.length > MAX_NAMED ? counted(out.length, 'host') : listed(out);
  const were = out.length === 1 ? 'was' : 'were';
  const begins = `${names} ${were} out for ${series(times.map(shortSeconds))}${proxy === undefined ? '' : ` in ${proxy}`}`;
  if (rule === undefined) return `${begins}: a passed health check ends an ejection`;
  const factors = series(rule.factors.map((factor) => `× ${factor}`));
  const atMost = rule.max_s === undefined ? '' : `, at most max_ejection_time ${shortSeconds(rule.max_s)}`;
  const jitter = rule.jitter ? ', a jitter' : '';
  const base = `base_ejection_time ${shortSeconds(rule.base_s)} ${factors}${atMost}${jitter}`;
  return `${begins}: ${base}, and until the next sweep (interval ${shortSeconds(rule.interval_s)})`;
}

/** Of more times than this only the first and the last are shown. */
const MAX_TIMES = 4;

/** "30 s, 60 s and 90 s"; of many the first and the last. */
function series(texts: readonly string[]): string {
  if (texts.length <= MAX_TIMES) return listed(texts);
  return `${texts.slice(0, MAX_TIMES - 1).join(', ')} … ${texts[texts.length - 1] ?? ''}`;
}

function shortSeconds(value: number): string {
  return `${decimal(Number(value.toPrecision(3)), 3)} s`;
}

function retriesText(fact: Of<'retries_refused'>): string {
  const { retries, least_allowed: least, most_allowed: most, is_default: isDefault, budget } = fact;
  const refused = counted(retries, 'retry', 'retries');
  if (budget !== undefined) {
    const range = least === most ? count(least) : `${count(least)} to ${count(most)}`;
    const rule = `${decimal(budget.percent, 2)} % of active and pending requests, at least ${count(budget.min_retry_concurrency)}`;
    return `the retry budget (${rule}) allowed ${range} at once${inProxy(fact)} when it refused ${refused}`;
  }
  const advice = isDefault ? '; set it or a retry_budget in circuit_breakers' : '';
  return `max_retries of ${count(most)}${isDefault ? ', the default,' : ''} refused ${refused}${inProxy(fact)}${advice}`;
}

function limitsText({ limits, refused }: Of<'default_limits'>): string {
  const wait = limits.some(({ limit }) => limit === 'max_connections') ? ['beyond max_connections requests wait'] : [];
  const lost = refused === 0 ? [] : [`${counted(refused, 'request')} ${refused === 1 ? 'was' : 'were'} refused`];
  const effects = [...wait, ...lost].join(', and ');
  const names = listed(limits.map(({ limit, value }) => `${limit} (${count(value)})`));
  const were = limits.length === 1 ? ['limit', 'was'] : ['limits', 'were'];
  return `the default ${were[0] ?? ''} ${names} ${were[1] ?? ''} reached${effects === '' ? '' : `: ${effects}`}`;
}

// --- why a host gets little ------------------------------------------------------------------------------------------

/** Each sentence once. */
export function whyNotTexts(facts: readonly WhyNotFact[]): string[] {
  return [...new Set(facts.map(whyNotText))];
}

function whyNotText(fact: WhyNotFact): string {
  switch (fact.kind) {
    case 'no_member':
      return 'it is no member of the cluster then';
    case 'no_requests':
      return 'no request asks the cluster';
    case 'chance':
      return 'chance: it was others’ turn';
    case 'not_healthy': {
      const since = fact.since === undefined ? '' : ` (${happeningText(fact.since)})`;
      if (fact.health === 'degraded') return `it is degraded${since}: healthy hosts come first`;
      return `it is unhealthy${since}${fact.panic ? ', and only panic lets it have any' : ''}`;
    }
    case 'level_load':
      return `priority ${fact.priority} gets ${fact.load} % of the traffic, for ${fact.hosts === 1 ? 'it' : hosts(fact.hosts)}`;
    case 'weights_unused':
      return `${fact.policy} does not look at weights`;
    case 'slower':
      return `it answers in ${fact.own_ms.toFixed(1)} ms, the others in ${fact.others_ms.toFixed(1)} ms: ${slowText(fact)}`;
    case 'keys_of_table':
      return `${fact.policy} gives it the keys of its part of the table: see lbsim ring`;
    case 'by_subset':
      return `requests are chosen for by subset (${fact.subsets.join(', ')}): it gets those of the subsets that it is in`;
    case 'overflow':
      return `circuit breakers turned ${fact.requests} requests away`;
    case 'client_subsets':
      return `subsetting gives each proxy a part of the ${fact.hosts} hosts: ${fact.users} of ${fact.clients} use it`;
    case 'degraded':
    case 'empty_table':
    case 'excluded':
    case 'fallback':
    case 'localities':
    case 'members':
    case 'named_host':
    case 'no_host_available':
    case 'no_hosts':
    case 'no_panic':
    case 'panic':
    case 'slow_start':
    case 'spill':
    case 'total_panic':
    case 'zone':
    case 'zone_off':
    case 'zones_without_degraded':
      return reasonText(fact);
  }
}

/** How a policy notices that a host is slow. */
function slowText({ policy, basis }: Extract<WhyNotFact, { kind: 'slower' }>): string {
  switch (basis) {
    case 'probes':
      return `${policy} asks hosts for their latency and their requests, and it says so`;
    case 'open_requests_and_answers':
      return `${policy} remembers its answers, and it has more requests open`;
    case 'open_requests':
      return 'it has more requests open';
  }
}
