import type { LintChapter, LintRule } from './rule.js';
import { localitiesChapter } from './locality-rules.js';
import { zonesChapter } from './zone-rules.js';
import { listsChapter } from './list-rules.js';
import { tablesChapter } from './table-rules.js';
import { healthChapter } from './health-rules.js';
import { subsetsChapter } from './subset-rules.js';
import { trafficChapter } from './traffic-rules.js';
import { ignoredChapter } from './ignored-rules.js';

/** In the order of the documentation. */
export const LINT_CHAPTERS: readonly LintChapter[] = [
  localitiesChapter,
  zonesChapter,
  listsChapter,
  tablesChapter,
  healthChapter,
  subsetsChapter,
  trafficChapter,
  ignoredChapter,
];

export const LINT_RULES: readonly LintRule[] = LINT_CHAPTERS.flatMap(({ rules }) => rules);

const SHOWN_IN_RUNS = new Set(LINT_RULES.flatMap(({ name, aboutSplit }) => (aboutSplit === true ? [name] : [])));

export function isShownInRuns(rule: string): boolean {
  return SHOWN_IN_RUNS.has(rule);
}
