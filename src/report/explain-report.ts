import type { ExplainedRequest, ExplainedStep, Explanation, RequestStep } from '../words/results.js';
import type { WhyNot } from '../analysis/explain/generated/why-not.js';
import { groupBy } from '../core/values.js';
import { assumptionText } from '../words/obstacles.js';
import { fill, SENTENCES } from '../words/fill.js';
import { whyNotTexts } from '../words/reasons.js';
import { behavesAs, millis, percent, phaseTimes, printable, sentence } from './format.js';
import { displayWidth, inputLines, LAYOUT, noteLines, type ReportLayout, widest, wrap } from './layout.js';
import { demand, madeBy } from '../core/arguments.js';

const WORDS = SENTENCES.explained;
const EXPLANATION = madeBy('explain', 'steps', 'request');
const EXPLAINED = madeBy('explainRequest', 'steps', 'arrived_s');

/** A decision for people: the answer, then each step with its numbers; the rules under `--all`. */
export function explainReport(explanation: Explanation, layout: ReportLayout): string {
  demand('explainReport', ['explanation', explanation, EXPLANATION], ['layout', layout, LAYOUT]);
  const { width, paint } = layout;
  const { steps, facts } = explanation;
  const labels = steps.map((_, index) => String(index + 1));
  const lines = [
    ...wrap(answer(explanation), width),
    ...wrap(requestLine(explanation), width).map(paint.faint),
    ...inputLines(explanation.input, width),
    '',
    ...stepLines(steps, labels, layout).flat(),
    ...(steps.length === 0 ? ['nothing was asked'] : []),
    '',
    ...noteLines(facts.map(assumptionText), width),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function answer(explanation: Explanation): string {
  const { host, panic, subset } = explanation;
  if (host === null) return printable(fill(WORDS.nowhere, explanation));
  const zone = host.locality.zone === '' ? undefined : host.locality.zone;
  const why = [...(panic ? ['in panic'] : []), ...(subset === null ? [] : [`of the subset ${subset}`])];
  return printable(fill(WORDS.sent, { ...explanation, ...host, zone, why }));
}

function requestLine(explanation: Explanation): string {
  const { hash_key: key, metadata_match: metadata, headers } = explanation.request;
  return askedLine(explanation, [
    ...(key === null ? [] : [`key ${key}`]),
    ...(metadata === null ? [] : [`metadata ${JSON.stringify(metadata)}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]);
}

/** What was asked, and who answered it. */
function askedLine(
  { proxy, worker, version, seed }: Pick<Explanation, 'proxy' | 'worker' | 'version' | 'seed'>,
  asked: readonly string[],
): string {
  return printable([...asked, `${proxy}, worker ${worker}`, behavesAs({ version }), `seed ${seed}`].join(' · '));
}

function stepLines(
  steps: readonly (ExplainedStep | RequestStep)[],
  labels: readonly string[],
  { width, paint, all }: ReportLayout,
): string[][] {
  const nameWidth = widest(steps.map(({ step }) => step));
  const labelWidth = widest(labels);
  return steps.map(({ step, outcome, rule, draws }, index) => {
    const head = `${(labels[index] ?? '').padStart(labelWidth)}  ${step.padEnd(nameWidth)}  `;
    const indent = ' '.repeat(displayWidth(head));
    const [first = '', ...more] = wrap(sentence(outcome), width, head, indent);
    const values = `by the random ${draws.length === 1 ? 'value' : 'values'} ${draws.join(', ')}`;
    const below = [...(draws.length === 0 ? [] : [values]), ...(all ? [rule] : [])];
    const faint = below.flatMap((text) => wrap(text, width, indent)).map(paint.faint);
    return [paint.strong(head) + first.slice(head.length), ...more, ...faint];
  });
}

/** The path of a request for people: its end, then each step with the time since it arrived; the rules under `--all`. */
export function explainRequestReport(explained: ExplainedRequest, layout: ReportLayout): string {
  demand('explainRequestReport', ['explained', explained, EXPLAINED], ['layout', layout, LAYOUT]);
  const { width, paint } = layout;
  const { steps, workload, hash, arrived_s: arrivedS } = explained;
  const asked = [...(workload === null ? [] : [workload]), ...(hash === null ? [] : [`hash ${hash}`])];
  const lines = [
    ...wrap(printable(fill(WORDS.request, { ...explained, end: endText(explained) })), width),
    ...wrap(askedLine(explained, asked), width).map(paint.faint),
    ...inputLines(explained.input, width),
  ];
  const labels = steps.map(({ at_s: at }) => `+${millis((at - arrivedS) * 1000)}`);
  const last = steps[steps.length - 1]?.attempt ?? 0;
  const texts = stepLines(steps, labels, layout).map((own, index) => ({ attempt: steps[index]?.attempt, own }));
  [...groupBy(texts, ({ attempt }) => attempt).values()].forEach((attempt, index) => {
    lines.push('');
    if (last > 0) lines.push(paint.strong(index === 0 ? 'first attempt' : `retry ${index}`));
    lines.push(...attempt.flatMap(({ own }) => own));
  });
  return `${lines.join('\n')}\n`;
}

function endText(explained: ExplainedRequest): string {
  const { outcome, status, latency_ms: latency, host, attempts } = explained;
  if (outcome === null || latency === null) return WORDS.unanswered;
  const tries = attempts === null || attempts < 2 ? undefined : attempts;
  const who = host === null ? 'by the proxy' : `from ${host}`;
  const held = host === null ? 'no host took it' : `held by ${host}`;
  return fill(WORDS.answered, { ...explained, status: status ?? '', who, held, tries });
}

/** Why a host gets little, for people: phase by phase; those without a finding are one line. */
export function whyNotReport(found: WhyNot, layout: ReportLayout): string {
  demand('whyNotReport', ['found', found, madeBy('whyNot', 'host', 'clusters')], ['layout', layout, LAYOUT]);
  const { width, paint } = layout;
  const lines = [...inputLines(found.input, width)];
  for (const cluster of found.clusters) {
    if (lines.length > 0) lines.push('');
    const { phases } = cluster;
    const times = phaseTimes(phases, false);
    const less = phases.filter(({ facts }) => facts.length > 0).length;
    const verdict = less === 0 ? WORDS.never_less : fill(WORDS.less, { less, phases: phases.length });
    const head = fill(WORDS.why_not, { ...cluster, host: found.host, verdict });
    lines.push(...wrap(printable(head), width), '');
    for (const phase of phases) {
      const { share: own, by_weight: byWeight, facts } = phase;
      const why = whyNotTexts(facts);
      const title = `${times(phase)}   ${percent(own)}, and by weight ${percent(byWeight)}`;
      lines.push(...wrap(title, width, '  ', '    ').map(why.length === 0 ? paint.faint : paint.strong));
      for (const reason of why) lines.push(...wrap(sentence(reason), width, '    → ', '      '));
    }
  }
  return `${lines.join('\n')}\n`;
}
