import type { Finding, Findings } from '../analysis/find/find.js';
import { groupBy } from '../core/lists.js';
import { lossText } from '../words/obstacles.js';
import { printable } from '../core/printable.js';
import { reasonTexts } from '../words/reasons.js';
import { count, decimal, listed, percent, sentence } from './format.js';
import { inputLines, leading, noteLines, type ReportLayout, wrap } from './layout.js';
import type { Notice } from '../analysis/find/losses.js';

/** "once health checks have noticed it": what a state after a loss presumes; "which nothing notices (…)". */
export function noticeText(by: Notice | null): string {
  return by === null ? 'which nothing notices (no health_checks, no outlier_detection)' : NOTICED[by];
}

const NOTICED: Readonly<Record<Notice, string>> = {
  health_checks: 'once health checks have noticed it',
  outlier_detection: 'once outlier detection has ejected as many as it may',
  control_plane: 'once the control plane has noticed it',
  dns: 'once DNS no longer names them',
};

const MAX_NAMES = 6;

export function* findReport({ scenario, input, found, facts }: Findings, layout: ReportLayout): Generator<string> {
  const { width, paint } = layout;
  yield* leading(printable(scenario), ['predicted, nothing was run'], width, paint);
  yield* inputLines(input, width);
  for (const [cluster, own] of groupBy(found, (finding) => finding.cluster)) {
    yield* ['', paint.strong(printable(cluster))];
    const by = own[0]?.noticed_by ?? null;
    yield* wrap(sentence(`what a loss brings${by === null ? ',' : ''} ${noticeText(by)}`), width, '  ');
    for (const finding of own) {
      const [first, ...others] = own.filter((other) => isSameLoss(other, finding));
      // One loss that causes several troubles is described once.
      if (first === finding) yield* findingLines(finding, [finding, ...others], layout);
    }
  }
  if (found.length === 0) yield* ['', 'Nothing could be searched.'];
  if (facts.length > 0) yield '';
  yield* noteLines(facts.map(lossText), width);
}

const TITLES = { panic: 'panic', failures: 'failed requests', overload: 'a host above its capacity' } as const;

function isSameLoss(a: Finding, b: Finding): boolean {
  if (a.lose !== b.lose || a.size === null || b.size === null || a.size === 0) return a === b;
  return a.addresses.join() === b.addresses.join() && a.smallest === b.smallest;
}

function findingLines(finding: Finding, alike: readonly Finding[], { width, paint, all }: ReportLayout): string[] {
  const { lose, size, of, set, smallest, facts, failed, fullest } = finding;
  const what = listed(alike.map(({ brings }) => TITLES[brings]));
  const units = of === 1 ? lose.slice(0, -1) : lose;
  if (size === null) return wrap(`No loss of ${units} brings ${what}, not even that of all ${count(of)}.`, width, '  ');
  if (size === 0) return wrap(`Already, with nothing more lost: ${what}.`, width, '  ').map(paint.bad);
  const names = all || set.length <= MAX_NAMES ? set : [...set.slice(0, MAX_NAMES - 1), '…', set[set.length - 1] ?? ''];
  const proof = smallest ? 'no smaller set is' : 'none of these can be spared';
  const head = `${count(size)} of ${count(of)} ${units} lost: ${what}. ${sentence(`losing ${names.join(', ')} is enough; ${proof}`)}`;
  const comes = [
    ...(failed > 0 ? [`${percent(failed)} of the requests fail`] : []),
    ...(fullest !== null && fullest !== undefined && Number.isFinite(fullest.load) && fullest.load > 0
      ? [
          `${fullest.address} gets ${decimal(fullest.perSecond, 1)} requests a second, ${percent(fullest.load)} of what it can take`,
        ]
      : []),
  ];
  return [
    ...wrap(printable(head), width, '  ', '    ').map(paint.strong),
    ...(comes.length === 0 ? [] : wrap(sentence(comes.join('; ')), width, '    ')),
    ...reasonTexts(facts).flatMap((reason) => wrap(sentence(reason), width, '    → ', '      ').map(paint.odd)),
  ];
}
