import type {
  ExplainedDecisionStep,
  ExplainedRequestStep,
  ExplainStep,
} from '../analysis/explain/generated/explanation.js';
import { emptyTableText } from '../core/words.js';
import { fill, SENTENCES } from './fill.js';

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

export type ExplainedStep = StepWords & ExplainedDecisionStep;

export type RequestStep = StepWords & ExplainedRequestStep;

/** @param overTcp of a connection. */
export function stepWords(of: ExplainStep, overTcp = false): StepWords {
  const { step, rule, outcome } = SENTENCES.steps[of.kind];
  const host = 'host' in of.inputs ? { host: of.inputs.host ?? 'no host' } : {};
  const parts = PARTS[of.kind] as ((inputs: ExplainStep['inputs']) => object) | undefined;
  const values = { ...of.inputs, ...host, ...parts?.(of.inputs), over_tcp: overTcp };
  return { step: fill(step, values), rule: fill(rule, values), outcome: fill(outcome, values) };
}

/** What the words need besides the inputs. */
const PARTS: { readonly [Of in ExplainStep['kind']]?: (inputs: Inputs<Of>) => object } = {
  priority: priorityParts,
  panic: panicParts,
  locality: ({ localities, effective_weights: weights }) => ({
    weights: localities.map((name, index) => `${name} ${Number((weights?.[index] ?? 0).toPrecision(4))}`).join(', '),
  }),
  zone_residual: ({ local_percent_to_route: local }) => ({ keeps: local / 100 }),
  owner: ({ empty }) => ({
    why: empty ? emptyTableText(empty.why, empty.policy, empty.priority) : 'the table is empty',
  }),
  candidate: ({ active_requests: active, fewest }) =>
    fewest !== null && active < fewest ? { beaten: fewest } : { leader: fewest },
  probes: ({ latency_us: latencyUs }) => ({ latency_ms: latencyUs / 1000 }),
  sent: ({ active_requests: active }) => ({ others: active > 1 ? active - 1 : undefined }),
  failure: ({ host }) => ({ host: host ?? 'its host' }),
};

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

function panicParts({ hosts, available_percent: percent, threshold, panic, effect }: Inputs<'panic'>): object {
  const calm = percent >= threshold ? 'enough' : 'together';
  return { verdict: hosts === 0 ? 'no_hosts' : panic ? effect : calm };
}
