import type { ExplainStep } from '../analysis/explain/explain.js';
import { count, counted } from '../core/words.js';
import { emptyTableText } from '../scenario/lint/locality-rules.js';
import { fill, SENTENCES } from './fill.js';
import { gateText } from './reasons.js';

type Inputs<Of extends ExplainStep['kind']> = Extract<ExplainStep, { kind: Of }>['inputs'];

/** A step in words. */
export interface StepWords {
  /** A word for it: priority, panic, zone … */
  readonly step: string;
  /** The rule, as it holds for every request. */
  readonly rule: string;
  /** The outcome for this request. */
  readonly outcome: string;
}

export function stepWords(of: ExplainStep): StepWords {
  const { step, rule, outcome } = SENTENCES.steps[of.kind];
  const host = 'host' in of.inputs ? { host: of.inputs.host ?? 'no host' } : {};
  const parts = PARTS[of.kind] as ((inputs: ExplainStep['inputs']) => object) | undefined;
  const values = { ...of.inputs, ...host, ...parts?.(of.inputs) };
  return { step: fill(step, values), rule: fill(rule, values), outcome: fill(outcome, values) };
}

/** What the words need besides the inputs. */
const PARTS: { readonly [Of in ExplainStep['kind']]?: (inputs: Inputs<Of>) => object } = {
  priority: priorityParts,
  panic: panicParts,
  locality: ({ localities, effective_weights: weights }) => ({
    weights: localities.map((name, index) => `${name} ${Number((weights?.[index] ?? 0).toPrecision(4))}`).join(', '),
  }),
  zone_off: (off) => ({ gate_text: gateText(off) }),
  zone_residual: ({ local_percent_to_route: local }) => ({ keeps: local / 100 }),
  list: ({ list }) => (list === 'all' ? { noun: 'host', any: 'whatever their health' } : { noun: `${list} host` }),
  subset: ({ hosts, passed_over: passedOver }) => ({
    found: hosts === null ? 'nobody' : passedOver ? 'passed_over' : 'hosts',
  }),
  named_host: ({ host }) => ({ host_or_none: host ?? 'no host of the cluster' }),
  owner: ({ empty }) => ({
    why: empty ? emptyTableText(empty.why, empty.policy, empty.priority) : 'the table is empty',
  }),
  drop: ({ drop_ratio: ratio }) => ({ percent: 100 * ratio }),
  candidate: ({ active_requests: active, fewest }) =>
    fewest !== null && active < fewest ? { beaten: fewest } : { leader: fewest },
  own: ({ host }) => ({ host: host ?? 'none of them' }),
  probes: ({ latency_us: latencyUs }) => ({ latency_ms: latencyUs / 1000 }),
  route: routeParts,
  pool: ({ limits_requests: limits, active }) => ({ within: limits ? count(active) : undefined }),
  sent: ({ waited_ms: waited, active_requests: active, lost }) => ({
    waited: above(waited),
    others: above(active - 1),
    down: lost ? 'down' : undefined,
  }),
  queue: ({ in_service: places, refused_with: status }) => ({
    full: status !== undefined,
    places: places === 1 ? 'the only place' : `all ${count(places)} places`,
    are: places === 1 ? 'is' : 'are',
  }),
  service: ({ waited_ms: waited }) => ({ waited: above(waited) }),
  failure: ({ host }) => ({ host: host ?? 'its host' }),
};

const above = (value: number): number | undefined => (value > 0 ? value : undefined);

function priorityParts(of: Inputs<'priority'>): object {
  const { healthy_load: healthy, degraded_load: degraded, priority, member } = of;
  const [whose, loads] = of.degraded ? ['degraded', degraded] : ['healthy', healthy];
  return {
    name: member === undefined ? `priority ${priority}` : `${member.cluster}, its priority ${member.priority}`,
    is_all: healthy[0] === 100,
    whose,
    load: loads[priority] ?? 0,
    loads: [
      ...healthy.map((value, level) => `${level}: ${value} %`),
      ...degraded.flatMap((value, level) => (value > 0 ? [`${level} degraded: ${value} %`] : [])),
    ].join(', '),
  };
}

function panicParts(of: Inputs<'panic'>): object {
  const { hosts, available, counted: all, available_percent: percent, threshold, panic, effect } = of;
  const calm = percent >= threshold ? 'enough' : 'together';
  return {
    verdict: hosts === 0 ? 'no_hosts' : panic ? effect : calm,
    have: `${available} of ${counted(all, 'host')} available is ${Number(percent.toFixed(1))} %`,
  };
}

function routeParts(of: Inputs<'route'>): object {
  const { workload, route, num_retries: retries, retry_on: on, timeout_ms: timeout, per_try_timeout_ms: perTry } = of;
  const limits = [
    timeout > 0 ? fill('time-out {timeout:time}', { timeout }) : 'no time-out',
    ...(perTry > 0 ? [fill('{perTry:time} per try', { perTry })] : []),
    retries === 0 ? 'no retries' : `${counted(retries, 'retry', 'retries')} on ${on.join(',')}`,
  ];
  return {
    from: workload === null ? 'an explicit request' : `a request of ${workload}`,
    weights: route.length > 1 ? route.map((one) => `${one.cluster} ${one.weight}`).join(' : ') : undefined,
    limits: limits.join(', '),
  };
}
