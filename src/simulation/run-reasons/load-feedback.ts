import { count, counted, millis, percent } from '../../core/words.js';
import type { PolicyFacts } from '../../policy/facts.js';
import { factsOf } from '../../policy/registry.js';
import type { HostResult } from '../../result/run-result.js';
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
  const { policy, hosts } = result;
  const facts = factsOf(policy);
  if (facts?.looksAtLoad !== true) return [];
  const groups = new Map<string, HostResult[]>();
  for (const host of hosts) {
    // A host that is ejected for a while gets less for that reason alone.
    const key = JSON.stringify([host.priority, host.locality]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [host]);
    else group.push(host);
  }
  const found = [...groups.values()].flatMap((group) => group.flatMap((host) => compared(host, group, policy, facts)));
  const [worst] = found.sort((a, b) => Number(b.fails) - Number(a.fails) || b.factor - a.factor);
  return worst === undefined ? [] : [worst.text];
}

interface Finding {
  readonly text: string;
  readonly fails: boolean;
  readonly factor: number;
}

function compared(
  host: HostResult,
  group: readonly HostResult[],
  policy: string,
  { hears, usesWeights }: PolicyFacts,
): Finding[] {
  const sum = (of: (one: HostResult) => number): number => group.reduce((all, one) => all + of(one), 0);
  const requests = sum((one) => one.requests);
  const weight = usesWeights ? host.weight / sum((one) => one.weight) : 1 / group.length;
  const share = host.requests / requests;
  const noise = STANDARD_ERRORS * Math.sqrt((weight * (1 - weight)) / requests);
  if (!(requests > 0) || !(Math.abs(share - weight) > noise)) return [];
  const factor = share > weight ? share / weight : weight / share;
  if (!(factor > APART)) return [];
  const failing = host.errors / host.requests;
  const othersFailing = sum((one) => (one === host ? 0 : one.errors)) / (requests - host.requests);
  const fails = share > weight && failing > FAILING && failing > 2 * othersFailing;
  const fair = usesWeights ? `by its weight ${percent(weight)}` : `an even share is ${percent(weight)}`;
  const by = hears.includes('answers') ? 'open requests and earlier answers' : 'open requests';
  const gets = `${host.address} gets ${percent(share)}, ${fair}: ${policy} goes by ${by}`;
  const finding = (why: string): Finding[] => [{ text: `${gets}, and ${why}`, fails, factor }];
  const how = `${percent(failing)} of its ${count(host.requests)} attempts fail`;
  if (fails && host.answered === 0) return finding(`${how} at once, so that it has none open`);
  const own = host.latency_ms.mean;
  const others = meanOf(group.filter((one) => one !== host));
  const explains = own !== null && others !== null && (share > weight ? own * FASTER < others : own > others * FASTER);
  if (explains) {
    return finding(`it answers in ${millis(own)}, the others in ${millis(others)}${fails ? `; ${how}` : ''}`);
  }
  const unanswered = host.requests - host.answered;
  if (share > weight || unanswered === 0) return [];
  const attempts = counted(host.requests, 'attempt');
  return finding(`${count(unanswered)} of its ${attempts} had no answer: they were open until they ended`);
}

/** Of all answers. */
function meanOf(hosts: readonly HostResult[]): number | null {
  const answered = hosts.reduce((sum, one) => sum + one.answered, 0);
  if (answered === 0) return null;
  return hosts.reduce((sum, one) => sum + one.answered * (one.latency_ms.mean ?? 0), 0) / answered;
}
