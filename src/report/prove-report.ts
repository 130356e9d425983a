import { groupBy, sameItems } from '../core/values.js';
import { PLAIN_OBSTACLES } from '../predict/generated/plain-obstacles.js';
import { lossText, noSplitText } from '../words/obstacles.js';
import { lostText } from './compare/compare-answer.js';
import { fill, SENTENCES } from './words.js';
import { reasonTexts } from '../words/reasons.js';
import { count, listed, percent, printable, sentence } from './format.js';
import { headLines, noteLines, type ReportLayout, wrap } from './layout.js';
import { columnsOf, table } from './table.js';
import type { Harm } from '../settings/generated/measures.js';
import type { Curve, CurvePoint } from '../analysis/prove/generated/findings.js';
import type { Finding, Findings, Survival } from '../words/results.js';

const WORDS = SENTENCES.proofs;

/** Names that are listed without `--all`. */
const MAX_NAMES = 6;

const PREDICTED = 'predicted, nothing was run';

const harmNames = (harms: readonly Harm[]): string[] => harms.map((harm) => WORDS.harms[harm]);

/** For people: for each harm the smallest loss that brings it, what that rests on, and the effect. */
export function* proveReport(findings: Findings, layout: ReportLayout): Generator<string> {
  const { width, paint } = layout;
  const { found, facts } = findings;
  yield* headLines(findings, [PREDICTED], layout);
  for (const [cluster, own] of groupBy(found, (finding) => finding.cluster)) {
    yield* ['', paint.strong(printable(cluster))];
    yield* wrap(sentence(`what a loss brings${fill(WORDS.noticed, { by: own[0]?.noticed_by })}`), width, '  ');
    for (const finding of own) {
      const { lose, size, smallest, addresses } = finding;
      const isAlone = size === null || size === 0;
      const alike = own.filter(
        (other) =>
          other === finding ||
          (!isAlone && other.lose === lose && other.smallest === smallest && sameItems(other.addresses, addresses)),
      );
      // One loss that causes several troubles is described once.
      if (alike[0] === finding) yield* findingLines(finding, alike, layout);
    }
    for (const { lose, ...keys } of findings.moved_keys?.filter((one) => one.cluster === cluster) ?? []) {
      const what = lose === 'zones' ? 'zone' : lose === 'records' ? 'record' : 'host';
      yield* wrap(sentence(lostText(what, keys)), width, '  ', '    ');
    }
  }
  if (found.length === 0) yield* ['', 'Nothing could be searched.'];
  if (facts.length > 0) yield '';
  yield* noteLines(facts.map(lossText), width);
}

/** @param alike what else the same loss brings. @param isProof say what the claim rests on. */
function findingLines(finding: Finding, alike: readonly Finding[], layout: ReportLayout, isProof = true): string[] {
  const { width, paint } = layout;
  const { lose, size, of, at_least: atLeast, facts, failed, fullest, open } = finding;
  const harms = harmNames(alike.map(({ brings }) => brings));
  const notSet = atLeast === null ? 'none' : 'open';
  const is = size === 0 ? 'already' : size === null ? notSet : 'set';
  const units = unitsOf(lose, is === 'set' ? of : undefined);
  const first = lose === 'zone_then_hosts' ? 'a zone' : undefined;
  const head = fill(WORDS.found, { ...finding, is, harms, units, first, which: setText(finding, layout) });
  const lines = wrap(printable(sentence(head)), width, '  ', is === 'set' ? '    ' : '  ');
  if (is === 'already') return lines.map(paint.bad);
  const proof = isProof ? wrap(sentence(proofText(finding)), width, '    ').map(paint.faint) : [];
  if (is !== 'set') return [...lines, ...proof];
  const effects = [
    ...(failed > 0 ? [fill(WORDS.effect.failed, finding)] : []),
    ...(fullest === null || !Number.isFinite(fullest.load) || fullest.load === 0
      ? []
      : [fill(WORDS.effect.fullest, fullest)]),
    ...(open !== null && alike.some(({ brings }) => brings === 'limit') ? [fill(WORDS.effect.open, open)] : []),
  ];
  return [
    ...lines.map(paint.strong),
    ...(effects.length === 0 ? [] : wrap(sentence(effects.join('; ')), width, '    ')),
    ...proof,
    ...reasonTexts(facts).flatMap((reason) => wrap(sentence(reason), width, '    → ', '      ').map(paint.odd)),
  ];
}

function unitsOf(lose: Finding['lose'], number: number | undefined): string {
  const units = lose === 'zone_then_hosts' ? 'other hosts' : lose;
  return number === 1 ? units.slice(0, -1) : units;
}

const shown = (set: readonly string[], isWhole: boolean): readonly string[] =>
  isWhole || set.length <= MAX_NAMES ? set : [...set.slice(0, MAX_NAMES - 1), '…', ...set.slice(-1)];

/** Which units: any of some kinds, or just these. */
function setText({ set, groups, of, lose, noticed_by: by }: Finding, { all }: ReportLayout): string {
  const isFew = all || set.length <= MAX_NAMES;
  const names = shown(set, all).join(', ');
  const isWhole = (group: Finding['groups'][number]): boolean => group.lost === group.of;
  const isChoice = !groups.every(isWhole);
  if (lose === 'zones' || by === 'dns' || (isFew && !isChoice) || !groups.every(({ any }) => any)) return names;
  const kinds = [...groups.filter((group) => !isWhole(group)), ...groups.filter(isWhole)].map((group) => {
    const some = !isWhole(group) ? 'some' : group.of === 1 ? 'one' : 'all';
    const which = fill(WORDS.which, { ...group, level: group.of < of ? group.priority : undefined });
    return fill(WORDS.group, { ...group, some, which });
  });
  return `${isChoice ? 'any ' : ''}${listed(kinds)}${isFew && set.length < of ? `, as ${names}` : ''}`;
}

/** What a claim rests on, or why it is none. */
function proofText({ lose, smallest, size, at_least: atLeast, covered, undecided, obstacle }: Finding): string {
  const fewer = (atLeast ?? 0) > 1 ? (atLeast ?? 0) - 1 : undefined;
  const why = obstacle === undefined ? undecided && PLAIN_OBSTACLES[undecided] : noSplitText(obstacle);
  const known = fewer === undefined ? 'first' : 'proven';
  const proven = covered.by === 'limit' ? 'limit' : size === null ? 'none' : known;
  const is = smallest ? proven : 'open';
  const first = lose === 'zone_then_hosts' ? 'any zone' : undefined;
  const checked = fill(WORDS.checked, covered);
  return fill(WORDS.claim, { is, checked, fewer, first, lose: unitsOf(lose, fewer), why });
}

/** Whether every loss of a size is survived, for people. */
export function* surviveReport(survival: Survival, layout: ReportLayout): Generator<string> {
  const { width, paint } = layout;
  const lose = survival.lose.map((one) => printable(one.replace(/^zone=\*$/, 'zone').replace(/^(\d+)-/, '$1 ')));
  const isAny = lose.some((one) => /^(\d+ )?(zone|host|record)s?$/.test(one));
  yield* headLines(survival, [PREDICTED], layout);
  for (const one of survival.clusters) {
    const { cluster, survives, without, loss, checked, headroom, why_not: why = 'there are too many sets' } = one;
    yield* ['', paint.strong(printable(cluster))];
    const question = fill(WORDS.question, { isAny, lose, harms: harmNames(without) });
    const answer = fill(WORDS.survives, { survives, question, why, sets: checked > 1 ? checked : undefined });
    const painted = survives === null ? paint.odd : survives ? paint.good : paint.bad;
    yield* wrap(sentence(answer), width, '  ').map(painted);
    if (loss !== null) yield* findingLines(loss, [loss], layout, false);
    if (headroom === undefined) continue;
    const set = shown(headroom?.set ?? [], layout.all);
    yield* wrap(sentence(fill(WORDS.headroom, { is: headroom?.proven ?? 'none', ...headroom, set })), width, '  ');
  }
  if (survival.vary === undefined) return;
  const { path, value, tried } = survival.vary;
  const losses = tried.flatMap(({ value: own, set }) =>
    set === null ? [] : fill(WORDS.varied_loss, { value: own, set: shown(set, layout.all), lost: set.length }),
  );
  const is = value === null ? 'none' : tried.every(({ survives }) => survives !== null);
  yield* ['', ...wrap(sentence(fill(WORDS.varied, { is, path, value, losses })), width)];
}

/** Rows that are shown without `--all`: where something changes, and some in between. */
const MAX_ROWS = 24;

/** How a split changes as hosts are lost, for people: the turning points in a sentence, then a line for each lost host. */
export function* curveReport(curve: Curve, layout: ReportLayout): Generator<string> {
  const { points, edges, cluster, policy, facts } = curve;
  yield* headLines(curve, [PREDICTED, `${cluster} ${policy}`], layout);
  yield* ['', ...wrap(curveAnswer(curve), layout.width), ''];
  // The first, the last, those at and before edges, and others as far as they fit.
  const kept = new Set([0, points.length - 1, ...edges.flatMap(({ lost }) => [lost - 1, lost])]);
  const step = Math.ceil(points.length / Math.max(1, MAX_ROWS - kept.size));
  const isAll = layout.all || points.length <= MAX_ROWS;
  const rows = isAll ? points : points.filter(({ lost }) => kept.has(lost) || lost % step === 0);
  const several = (of: (point: CurvePoint) => readonly unknown[]): boolean =>
    points.some((point) => of(point).length > 1);
  const { name, number, text } = columnsOf(rows);
  const columns = [
    number('lost', ({ lost }) => count(lost)),
    name('the last', ({ host }) => printable(host ?? '–')),
    several(({ priorities }) => priorities) && text(levelNames(points), ({ priorities }) => sharesText(priorities)),
    several(({ zones }) => zones) && text(`zones ${zoneNames(points)}`, ({ zones }) => sharesText(zones)),
    number('busiest', ({ busiest }) => percent(busiest)),
    number('failed', ({ failed }) => percent(failed)),
    text('', ({ panic }) => (panic ? 'panic' : '')),
  ];
  yield* table(columns, layout, 2);
  if (rows.length < points.length) yield layout.paint.faint('  … (--all lists every step)');
  if (facts.length > 0) yield* ['', ...noteLines(facts.map(lossText), layout.width)];
}

const sharesText = (parts: readonly { readonly share: number }[]): string =>
  parts.map(({ share }) => Math.round(share * 1000) / 10).join(' / ');

/** Those of an aggregate have names. */
function levelNames([first]: readonly CurvePoint[]): string {
  const names = first?.priorities.flatMap(({ cluster, priority }) =>
    cluster === undefined ? [] : `${cluster} ${priority}`,
  );
  return names === undefined || names.length === 0 ? 'priorities' : printable(names.join(' / '));
}

const MAX_ZONES = 4;

function zoneNames(points: readonly CurvePoint[]): string {
  const names = points.reduce<readonly string[]>((most, { zones }) => {
    const own = zones.map(({ zone }) => (zone === '' ? '(none)' : zone));
    return own.length > most.length ? own : most;
  }, []);
  return names.length <= MAX_ZONES ? printable(names.join(' / ')) : '';
}

function curveAnswer({ lose, points, edges, noticed_by: by }: Curve): string {
  const hosts = points.length - 1;
  const end = fill(WORDS.curve_end, { edges: edges.length, hosts, failed: points[hosts]?.failed ?? 0 });
  const noticed = fill(WORDS.noticed, { by });
  const said = edges.map((edge) => fill(WORDS.edge, { ...edge, hosts }));
  return sentence(fill(WORDS.curve, { lose: printable(lose), noticed, edges: said, end }));
}
