import type { WhyNotFact } from '../analysis/explain/generated/why-not.js';
import { count, counted, emptyTableText, listed } from '../core/words.js';
import type { BalancerStep } from '../hostset/generated/balancer-steps.js';
import type { Fact } from '../result/generated/facts.js';
import { fill, SENTENCES } from './fill.js';
import { happeningText } from './happenings.js';

type Of<Kind extends Fact['kind']> = Extract<Fact, { kind: Kind }>;

/** The sentences of a split or a run, each without a capital letter and full stop. */
export const reasonTexts = (facts: readonly Fact[]): string[] => facts.map(reasonText);

/** Adds them to the object itself: the hosts of a phase are made on demand, and would be made for a copy. */
export const withReasons = <Part extends { readonly facts: readonly Fact[] }>(
  part: Part,
): Part & { reasons: string[] } => Object.assign(part, { reasons: reasonTexts(part.facts) });

function reasonText(fact: Fact): string {
  const text = fact.kind === 'no_hosts' ? `${plainText(fact)}: every request fails` : plainText(fact);
  const subset = 'subset' in fact ? `${subsetName(fact.subset)}: ` : '';
  if (!('proxies' in fact) || typeof fact.proxies !== 'object') return subset + text;
  return `${subset}${text} (${fact.proxies.length === 1 ? 'proxy' : 'proxies'} ${fact.proxies.join(', ')})`;
}

/** As {@link reasonTexts}, where the share that it explains is told already. */
export const whyText = (fact: Fact): string =>
  fact.kind === 'load_feedback' ? feedbackText(fact, fact.host) : reasonText(fact);

/** As {@link reasonTexts}, where it is said already that requests fail. */
export const failureText = (fact: Fact): string =>
  fact.kind === 'no_hosts' && fact.proxies === undefined ? plainText(fact) : reasonText(fact);

function plainText(fact: Fact): string {
  if (fact.kind === 'empty_table') return emptyTableText(fact.why, fact.policy, fact.priority);
  const parts = PARTS[fact.kind] as ((fact: Fact) => object) | undefined;
  return fill(SENTENCES.reasons[fact.kind], { ...fact, ...parts?.(fact) });
}

/** What sentences need besides the fields of their facts. */
const PARTS: { readonly [Kind in Fact['kind']]?: (fact: Of<Kind>) => object } = {
  members: memberParts,
  spill: spillParts,
  zone: ({ enabled_percent: enabled }) => ({ some: enabled < 100 ? enabled : undefined }),
  fallback: fallbackParts,
  load_feedback: (fact) => ({ because: feedbackText(fact, 'this host') }),
  ejection_times: ejectionParts,
  retries_refused: retryParts,
  default_limits: ({ limits }) => ({ waits: limits.some(({ limit }) => limit === 'max_connections') }),
};

function subsetName(subset: string): string {
  if (subset === 'default') return 'default subset';
  return subset === 'any' ? 'any host' : `subset ${subset}`;
}

export const gateText = (off: Extract<BalancerStep, { kind: 'zone_off' }>['inputs']): string =>
  fill(SENTENCES.gates, off);

function memberParts({ levels }: Of<'members'>): object {
  const severalIn = new Set(levels.filter(({ priority }) => priority > 0).map(({ cluster }) => cluster));
  const names = levels.map(({ cluster, priority }) =>
    severalIn.has(cluster) ? `${cluster} priority ${priority}` : cluster,
  );
  return {
    first: names[0],
    loads: levels.map(({ load }, index) => `${names[index] ?? ''} gets ${load} %`).join(', '),
  };
}

/** Degraded hosts may add to what the first gets of what healthy ones can take. */
function spillParts({ levels: [first, ...others], cover, scaled }: Of<'spill'>): object {
  const isTold = scaled === undefined && first?.load === cover.percent;
  return { first: first?.priority, told: isTold || first === undefined ? others : [first, ...others] };
}

function fallbackParts({ chain, why }: Of<'fallback'>): object {
  const named = (subset: string): string => (subset === 'default' ? 'the default subset' : subsetName(subset));
  const [first, ...others] = chain.filter((one) => !one.empty).map(({ subset }) => named(subset));
  return {
    empty:
      chain.length === 0 && why !== 'fallback_list'
        ? ['the fallback is NO_FALLBACK']
        : chain.filter((one) => one.empty).map(({ subset }) => `${named(subset)} is empty`),
    answers: first === undefined ? 'no host is asked' : [`${first} answers`, ...others].join(', or else '),
    policy: fallbackName(chain, why),
  };
}

/** The setting that made the chain: of a subset of fewer keys and of lists no single word says it. */
function fallbackName(chain: Of<'fallback'>['chain'], why: Of<'fallback'>['why']): string | undefined {
  const [only, ...more] = chain;
  if (why === 'fallback_list' || only === undefined || more.length > 0) return undefined;
  if (only.subset === 'default') return 'DEFAULT_SUBSET';
  return only.subset === 'any' ? 'ANY_ENDPOINT' : undefined;
}

function feedbackText({ policy, basis, because, drawn_alone: alone }: Of<'load_feedback'>, host: string): string {
  const { [because.why]: sentence, basis: bases, drawn_alone: drawn } = SENTENCES.load;
  const floor = alone === undefined ? '' : fill(drawn, alone);
  return `${policy} ${fill(bases, { basis })}, and ${fill(sentence, { ...because, host })}${floor}`;
}

const MAX_NAMED = 3;

function ejectionParts({ hosts: out, out_s: times, rule }: Of<'ejection_times'>): object {
  return {
    names: out.length > MAX_NAMED ? counted(out.length, 'host') : listed(out),
    times: series(times.map((seconds) => fill('{seconds:short_s}', { seconds }))),
    factors: rule && series(rule.factors.map((factor) => `× ${factor}`)),
  };
}

/** Of more times than this only the first and the last are shown. */
const MAX_TIMES = 4;

/** "30 s, 60 s and 90 s"; of many the first and the last. */
function series(texts: readonly string[]): string {
  if (texts.length <= MAX_TIMES) return listed(texts);
  return `${texts.slice(0, MAX_TIMES - 1).join(', ')} … ${texts[texts.length - 1] ?? ''}`;
}

function retryParts(fact: Of<'retries_refused'>): object {
  const { least_allowed: least, most_allowed: most, is_default: isDefault, most_load: load, budget } = fact;
  return {
    limit: budget !== undefined ? 'budget' : isDefault && load === undefined ? 'default' : 'set',
    range: least === most ? count(least) : `${count(least)} to ${count(most)}`,
  };
}

/** Each sentence once. */
export function whyNotTexts(facts: readonly WhyNotFact[]): string[] {
  return [...new Set(facts.map((fact) => (isOfHost(fact) ? hostText(fact) : reasonText(fact))))];
}

type OfHost = Exclude<WhyNotFact, Fact>;

const isOfHost = (fact: WhyNotFact): fact is OfHost => Object.hasOwn(SENTENCES.whyNot, fact.kind);

function hostText(fact: OfHost): string {
  if (fact.kind !== 'not_healthy') return fill(SENTENCES.whyNot[fact.kind], fact);
  const { health, since, panic } = fact;
  return fill(SENTENCES.whyNot.not_healthy, {
    state: health === 'unhealthy' && panic ? 'panic' : health,
    since: since && happeningText(since),
  });
}
