import type { LintRule } from './rule.js';
import * as health from './rules/health.js';
import * as ignored from './rules/ignored.js';
import * as lists from './rules/lists.js';
import * as localities from './rules/localities.js';
import * as subsets from './rules/subsets.js';
import * as tables from './rules/tables.js';
import * as traffic from './rules/traffic.js';
import * as zones from './rules/zones.js';

/** Rules under the heading that documentation gives them. */
export const LINT_CHAPTERS: readonly { readonly title: string; readonly rules: readonly LintRule[] }[] = [
  { title: 'Localities', rules: Object.values(localities) },
  { title: 'Zones', rules: Object.values(zones) },
  { title: 'ROUND_ROBIN, LEAST_REQUEST and RANDOM', rules: Object.values(lists) },
  { title: 'RING_HASH and MAGLEV', rules: Object.values(tables) },
  { title: 'Health, priorities and panic', rules: Object.values(health) },
  { title: 'Subsets', rules: Object.values(subsets) },
  { title: 'Hosts, retries and limits', rules: Object.values(traffic) },
  { title: 'Settings that another one switches off', rules: Object.values(ignored) },
];

export const LINT_RULES: readonly LintRule[] = LINT_CHAPTERS.flatMap(({ rules }) => rules);
