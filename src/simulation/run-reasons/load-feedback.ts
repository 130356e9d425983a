import { groupBy, sum } from '../../core/lists.js';
import { count, counted, millis, percent, seconds } from '../../core/words.js';
import type { PolicyFacts } from '../../policy/facts.js';
import { factsOf } from '../../policy/registry.js';
import { hostsOf } from '../../result/phase-hosts.js';
import type { HostResult, PhaseResult } from '../../result/run-result.js';
import type { ClusterRun } from './run-reason.js';

/** A host whose share differs from its weight by this factor is reported … */
const APART = 1.15;
/** … if its answers take this much less or more time … */
const FASTER = 1.25;
/** … and chance does not explain it. */
const STANDARD_ERRORS = 5;
/** From this part of failed attempts on, a host counts as failing. */
const FAILING = 0.05;

/**
 * A policy that looks at open requests prefers hosts that answer faster, and errors are the fastest answers: a failing host
 * gets more requests.
 */
export function loadFeedback({ result }: ClusterRun): string[] {
  const { policy, hosts, phases } = result;
  const facts = factsOf(policy);
  if (facts?.looksAtLoad !== true) return [];
  const groups = groupsOf(hosts).map((rows) => ({ rows, totals: totalsOf(rows) }));
  const rule: Rule = { policy, facts, compared: groups.length > 1 ? ' of the requests of its locality' : '' };
  const found = groups.flatMap(({ rows, totals }) => rows.flatMap((host) => overRun(host, totals, rule)));
  const [worst] = found.sort((a, b) => Number(b.fails) - Number(a.fails) || b.factor - a.factor);
  if (worst?.fails === true) return [worst.text];
  const failing = groups.flatMap(({ rows, totals }) => rows.filter((host) => failsMore(host, totals)));
  // An ejected host gets less over the run, and more whenever it is back.
  const [back] = phases.flatMap((phase) => inPhase(phase, failing, rule)).sort((a, b) => b.factor - a.factor);
  return [worst, back].flatMap((finding) => finding?.text ?? []);
}

/**
 * Hosts of one priority and locality are compared: zones and priorities have reasons of their own. One object stands for
 * a locality in all of a cluster's rows.
 */
function groupsOf<Row extends Pick<HostResult, 'priority' | 'locality'>>(rows: readonly Row[]): readonly Row[][] {
  const levels = [...groupBy(rows, ({ priority }) => priority).values()];
  return levels.flatMap((level) => [...groupBy(level, ({ locality }) => locality).values()]);
}

/** The same for a host in the run and in its phases. */
const keyOf = ({ priority, locality, address }: Pick<HostResult, 'priority' | 'locality' | 'address'>): string =>
  JSON.stringify([priority, locality, address]);

interface Rule {
  readonly policy: string;
  readonly facts: PolicyFacts;
  /** What a host's share is a share of, where that is not the cluster: the end of a clause. */
  readonly compared: string;
}

interface Finding {
  readonly text: string;
  readonly fails: boolean;
  readonly factor: number;
}

/** Sums over the hosts that one is compared with, itself included. */
interface Totals extends GroupTotals {
  readonly errors: number;
  readonly answered: number;
  readonly latencyMs: number;
}

interface GroupTotals {
  readonly hosts: number;
  readonly requests: number;
  readonly weight: number;
}

function groupTotals(rows: readonly Pick<HostResult, 'requests' | 'weight'>[]): GroupTotals {
  return {
    hosts: rows.length,
    requests: sum(rows.map(({ requests }) => requests)),
    weight: sum(rows.map(({ weight }) => weight)),
  };
}

function totalsOf(rows: readonly HostResult[]): Totals {
  return {
    ...groupTotals(rows),
    errors: sum(rows.map(({ errors }) => errors)),
    answered: sum(rows.map(({ answered }) => answered)),
    latencyMs: sum(rows.map(latencyMsOf)),
  };
}

/** Of all its answers. */
const latencyMsOf = ({ answered, latency_ms: { mean } }: HostResult): number => answered * (mean ?? 0);

interface Apart {
  readonly share: number;
  readonly weight: number;
  readonly factor: number;
  /** The share that its weight gives it, in words. */
  readonly fair: string;
}

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
  const fair = usesWeights ? `by its weight ${percent(weight)}` : `an even share is ${percent(weight)}`;
  return { share, weight, factor, fair };
}

/** More of its attempts fail than of the other hosts', over the run. */
function failsMore(host: HostResult, group: Totals): boolean {
  const failing = host.errors / host.requests;
  const others = (group.errors - host.errors) / (group.requests - host.requests);
  return failing > FAILING && failing > 2 * others;
}

/** Of `failing` the hosts that got more than their weight says in one phase, among the healthy ones. */
function inPhase(
  phase: PhaseResult,
  failing: readonly HostResult[],
  { policy, facts, compared }: Rule,
): readonly Finding[] {
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
    const apart = found && shareApart(found.row, found.totals, facts);
    if (apart === undefined || apart.share < apart.weight) return [];
    const { share, fair, factor } = apart;
    const when = `from ${seconds(phase.from_s)} to ${seconds(phase.to_s)}`;
    const how = `${percent(host.errors / host.requests)} of its ${counted(host.requests, 'attempt')} in the run fail`;
    const text = `${host.address} gets ${percent(share)}${compared} ${when}, ${fair}: ${policy} goes by ${basis(facts)}, and ${how}`;
    return [{ text, fails: true, factor }];
  });
}

function basis({ hears }: PolicyFacts): string {
  if (hears.includes('probes')) return 'what hosts say when they are asked';
  return hears.includes('answers') ? 'open requests and earlier answers' : 'open requests';
}

function overRun(host: HostResult, group: Totals, { policy, facts, compared }: Rule): Finding[] {
  const apart = shareApart(host, group, facts);
  if (apart === undefined) return [];
  const { share, weight, fair, factor } = apart;
  const fails = share > weight && failsMore(host, group);
  const gets = `${host.address} gets ${percent(share)}${compared}, ${fair}: ${policy} goes by ${basis(facts)}`;
  const finding = (why: string): Finding[] => [{ text: `${gets}, and ${why}`, fails, factor }];
  const how = `${percent(host.errors / host.requests)} of its ${count(host.requests)} attempts fail`;
  if (fails && host.answered === 0) return finding(`${how} at once, so that it has none open`);
  const own = host.latency_ms.mean;
  const answeredByOthers = group.answered - host.answered;
  if (own !== null && answeredByOthers > 0) {
    const others = (group.latencyMs - latencyMsOf(host)) / answeredByOthers;
    if (share > weight ? own * FASTER < others : own > others * FASTER) {
      return finding(`it answers in ${millis(own)}, the others in ${millis(others)}${fails ? `; ${how}` : ''}`);
    }
  }
  const unanswered = host.requests - host.answered;
  if (share > weight || unanswered === 0) return [];
  const attempts = counted(host.requests, 'attempt');
  return finding(`${count(unanswered)} of its ${attempts} had no answer: they were open until they ended`);
}
