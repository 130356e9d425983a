import { eachCluster, type LintRule, thread } from '../../rule.js';
import { breakers, retrying } from '../traffic-shared.js';

export const retryBudgetWins: LintRule = {
  name: 'retry-budget-wins',
  severity: 'note',
  title: 'max_retries beside a retry budget',
  why: 'A retry budget replaces max_retries: the fixed number is ignored, even as a floor or a ceiling.',
  sources: [thread(30974, 'What will be overridden by retry_budget'), breakers],
  example: retrying(
    ', circuit_breakers: {thresholds: [{max_retries: 100, retry_budget: {budget_percent: {value: 20}}}]}',
  ),
  repaired: retrying(', circuit_breakers: {thresholds: [{retry_budget: {budget_percent: {value: 20}}}]}'),
  check: eachCluster(({ cluster: { circuitBreakers }, path }, report) => {
    for (const [index, { maxRetries, retryBudget }] of (circuitBreakers?.thresholds ?? []).entries()) {
      if (maxRetries === undefined || retryBudget === undefined) continue;
      report(
        [...path, 'circuit_breakers', 'thresholds', index, 'max_retries'],
        'retry_budget replaces max_retries: this number has no effect',
      );
    }
  }),
};
