import { groupBy, sum } from '../../core/values.js';
import type { PolicyFacts } from '../../policy/policy-kinds.js';
import { factsOf } from '../../policy/registry.js';
import type { LoadBasis, LoadCause, RunFact } from '../../result/generated/facts.js';
import { hostsOf } from '../../result/phase-hosts.js';
import type { HostResult, PhaseResult, ClusterResult } from '../../result/run-result.js';
import type { WorldSettings } from '../../settings/world.js';
import type { ClusterWorld } from '../environment.js';
import type { Proxy } from '../proxy.js';
import type { ProxyCluster } from '../proxy-cluster.js';

export interface ClusterRun {
  readonly settings: WorldSettings;
  readonly world: ClusterWorld;
  readonly proxies: readonly Proxy[];
  /** The cluster inside each of them. */
  readonly clusters: readonly ProxyCluster[];
  readonly result: Omit<ClusterResult, 'facts'>;
}

export function inProxy({ settings }: ClusterRun, name: string): { readonly proxy?: string } {
  const several = settings.proxies.length > 1 || settings.proxies.some(({ count }) => count > 1);
  return several ? { proxy: name } : {};
}

/** A host whose share differs from its weight by this factor is reported … */
const APART = 1.15;
/** … if its answers take this much less or more time … */
const FASTER = 1.25;
/** … and chance does not explain it. */
const STANDARD_ERRORS = 5;
/** From this part of failed attempts on, a host counts as failing. */
const FAILING = 0.05;

/** A policy that looks at open requests prefers who answers faster; errors are fastest, so a failing host gets more. */
export function loadFeedback({ result, clusters }: ClusterRun): RunFact[] {
  const { policy, hosts, phases } = result;
  const facts = factsOf(policy);
  if (facts?.looksAtLoad !== true) return [];
  const groups = groupsOf(hosts).map((rows) => ({ rows, totals: totalsOf(rows) }));
  const least = policy === 'LEAST_REQUEST' ? clusters[0]?.lb.leastRequest : undefined;
  const choiceCount = least?.selectionMethod === 'N_CHOICES' ? least.choiceCount : undefined;
  const rule: Rule = { policy, facts, ofLocality: groups.length > 1, choiceCount };
  const found = groups.flatMap(({ rows, totals }) => rows.flatMap((host) => overRun(host, totals, rule)));
  const [worst] = found.sort((a, b) => Number(b.fails) - Number(a.fails) || b.factor - a.factor);
  if (worst?.fails === true) return [worst.fact];
  const failing = groups.flatMap(({ rows, totals }) => rows.filter((host) => failsMore(host, totals)));
  // An ejected host gets less over the run, and more whenever it is back.
  const [back] = phases.flatMap((phase) => inPhase(phase, failing, rule)).sort((a, b) => b.factor - a.factor);
  return [worst, back].flatMap((finding) => finding?.fact ?? []);
}

/** Zones and priorities have reasons of their own. One object stands for a locality in all of a cluster's rows. */
function groupsOf<Row extends Pick<HostResult, 'priority' | 'locality'>>(rows: readonly Row[]): readonly Row[][] {
  const levels = [...groupBy(rows, ({ priority }) => priority).values()];
  return levels.flatMap((level) => [...groupBy(level, ({ locality }) => locality).values()]);
}

const keyOf = ({ priority, locality, address }: Pick<HostResult, 'priority' | 'locality' | 'address'>): string =>
  JSON.stringify([priority, locality, address]);

interface Rule {
  readonly policy: string;
  readonly facts: PolicyFacts;
  /** A host's share is one of its locality, not of the cluster. */
  readonly ofLocality: boolean;
  /** Of hosts of equal weight so many are drawn, with replacement; undefined: the policy has another way. */
  readonly choiceCount: number | undefined;
}

type Finding = Readonly<{ fact: RunFact; fails: boolean; factor: number }>;

/** The host itself included. */
interface Totals extends GroupTotals {
  readonly errors: number;
  readonly answered: number;
  readonly latencyMs: number;
}

type GroupTotals = Readonly<{ hosts: number; requests: number; weight: number }>;

const groupTotals = (rows: readonly Pick<HostResult, 'requests' | 'weight'>[]): GroupTotals => ({
  hosts: rows.length,
  requests: sum(rows.map(({ requests }) => requests)),
  weight: sum(rows.map(({ weight }) => weight)),
});

const totalsOf = (rows: readonly HostResult[]): Totals => ({
  ...groupTotals(rows),
  errors: sum(rows.map(({ errors }) => errors)),
  answered: sum(rows.map(({ answered }) => answered)),
  latencyMs: sum(rows.map(latencyMsOf)),
});

/** Of all its answers. */
const latencyMsOf = ({ answered, latency_ms: { mean } }: HostResult): number => answered * (mean ?? 0);

type Apart = Readonly<{ share: number; weight: number; factor: number }>;

/** A host's share of its group, where it differs from that of its weight beyond chance. */
function shareApart(
  host: Pick<HostResult, 'requests' | 'weight'>,
  group: GroupTotals,
  { usesWeights }: PolicyFacts,
): Apart | undefined {
  const weight = usesWeights ? host.weight / group.weight : 1 / group.hosts;
  const share = host.requests / group.requests;
  const noise = STANDARD_ERRORS * Math.sqrt((weight * (1 - weight)) / group.requests);
  if (!(group.requests > 0) || !(Math.abs(share - weight) > noise)) return undefined;
  const factor = share > weight ? share / weight : weight / share;
  if (!(factor > APART)) return undefined;
  return { share, weight, factor };
}

function failsMore(host: HostResult, group: Totals): boolean {
  const failing = host.errors / host.requests;
  const others = (group.errors - host.errors) / (group.requests - host.requests);
  return failing > FAILING && failing > 2 * others;
}

/** Of `failing` the hosts that got more than their weight says in one phase, among the healthy ones. */
function inPhase(phase: PhaseResult, failing: readonly HostResult[], rule: Rule): readonly Finding[] {
  if (failing.length === 0) return [];
  const healthy = [...hostsOf(phase)].filter(({ health }) => health === 'healthy');
  const rows = new Map(
    groupsOf(healthy).flatMap((group) => {
      const totals = groupTotals(group);
      return group.map((row) => [keyOf(row), { row, totals }]);
    }),
  );
  return failing.flatMap((host): Finding[] => {
    const found = rows.get(keyOf(host));
    const apart = found && shareApart(found.row, found.totals, rule.facts);
    if (apart === undefined || apart.share < apart.weight) return [];
    const when = { from_s: phase.from_s, to_s: phase.to_s };
    const { errors, requests: attempts } = host;
    const because: LoadCause = { why: 'fails_over_run', failed_share: errors / attempts, attempts };
    return [{ fact: { ...factOf(host, apart, rule), ...when, because }, fails: true, factor: apart.factor }];
  });
}

const factOf = (
  { address }: HostResult,
  { share, weight }: Apart,
  { policy, facts, ofLocality }: Rule,
): Omit<Extract<RunFact, { kind: 'load_feedback' }>, 'because'> => ({
  kind: 'load_feedback',
  host: address,
  policy,
  basis: loadBasis(facts),
  share,
  fair_share: weight,
  by_weight: facts.usesWeights,
  of_locality: ofLocality,
});

/** Hosts are drawn with replacement: now and then one host is all that there is to choose from. */
function drawnAlone(
  { weight }: HostResult,
  { share, weight: fair }: Apart,
  { hosts, weight: all }: GroupTotals,
  { choiceCount }: Rule,
): Pick<Extract<RunFact, { kind: 'load_feedback' }>, 'drawn_alone'> {
  if (choiceCount === undefined || share > fair || weight * hosts !== all) return {};
  const alone = hosts ** -choiceCount;
  return alone < share / 2 ? {} : { drawn_alone: { choice_count: choiceCount, share: alone } };
}

export function loadBasis({ hears }: PolicyFacts): LoadBasis {
  if (hears.includes('probes')) return 'probes';
  return hears.includes('answers') ? 'open_requests_and_answers' : 'open_requests';
}

function overRun(host: HostResult, group: Totals, rule: Rule): Finding[] {
  const apart = shareApart(host, group, rule.facts);
  if (apart === undefined) return [];
  const { share, weight, factor } = apart;
  const fails = share > weight && failsMore(host, group);
  const finding = (because: LoadCause): Finding[] => [
    { fact: { ...factOf(host, apart, rule), ...drawnAlone(host, apart, group, rule), because }, fails, factor },
  ];
  const attempts = host.requests;
  const failedShare = host.errors / attempts;
  if (fails && host.answered === 0) return finding({ why: 'fails_at_once', failed_share: failedShare, attempts });
  const own = host.latency_ms.mean;
  const answeredByOthers = group.answered - host.answered;
  if (own !== null && answeredByOthers > 0) {
    const others = (group.latencyMs - latencyMsOf(host)) / answeredByOthers;
    if (share > weight ? own * FASTER < others : own > others * FASTER) {
      const failed = fails ? { failed_share: failedShare } : {};
      return finding({ why: 'latency', own_ms: own, others_ms: others, ...failed, attempts });
    }
  }
  const unanswered = attempts - host.answered;
  return share > weight || unanswered === 0 ? [] : finding({ why: 'unanswered', unanswered, attempts });
}
