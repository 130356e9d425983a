import type { ReportLayout } from '../../report/layout.js';
import type { Shared } from '../../site/link.js';
import { type Session, UsageError } from '../session.js';
import { openOutput, type OutputRules } from './output-files.js';
import type { Carried, PageOptions } from './page-files.js';
import type * as reports from './report-page.js';
import type { RunOptions, SweepOptions } from '../program/generated/commands.js';
import { givenOf } from '../program/option-values.js';

type FormOptions = Pick<SweepOptions & RunOptions, 'brief' | 'json' | 'csv' | 'jsonl'>;

export const formsOf = (options: FormOptions): readonly string[] => givenOf(options, ['brief', 'json', 'csv', 'jsonl']);

/** @param takers options that want standard output for themselves. @throws UsageError for more than one. */
export function refuseSeveral(takers: readonly string[]): void {
  if (takers.length > 1) throw new UsageError(`${takers.join(' and ')} both want standard output: choose one`);
}

/** The page of `--html`, whose file is open from the start of the call. */
export type PageOutput = NonNullable<Awaited<ReturnType<typeof pageOf>>>;

interface PageRules extends Omit<OutputRules, 'force'> {
  /** The scenario of a playable page, or both that it compares. */
  readonly carried: readonly Carried[];
}

/**
 * @returns undefined without `--html`. Its modules are loaded only with it.
 * @throws UsageError for a file that would be overwritten, or a scenario that cannot be carried.
 */
export async function pageOf(options: PageOptions & FormOptions, { carried, ...rules }: PageRules, session: Session) {
  const { html, playable, force } = options;
  if (html === undefined) return undefined;
  const isAnswer = html === '-';
  if (isAnswer) refuseSeveral([...formsOf(options), '--html -']);
  const { readSitePage, sharedOfSides } = await import('./page-files.js');
  readSitePage('report.html');
  const shared = playable === true ? sharedOfSides(carried, '--playable') : undefined;
  const file = await openOutput('--html', html, { ...rules, force }, session);
  return {
    /** It is what standard output gets, in place of the report. */
    isAnswer,
    /** @param make the page, with the layout of the words in it. */
    async write(make: (layout: ReportLayout, shared: Shared | undefined, parts: typeof reports) => Promise<string>) {
      const parts = await import('./report-page.js');
      await file?.write(await make(parts.PAGE_LAYOUT, shared, parts));
      await file?.close();
    },
  };
}
