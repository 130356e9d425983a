import { BALANCING, eachCluster, type LintRule, manual } from '../../rule.js';
import { cluster } from '../health-shared.js';

export const priorityGap: LintRule = {
  name: 'priority-gap',
  severity: 'note',
  aboutSplit: true,
  title: 'Priorities with a gap',
  why: 'Priorities are the levels 0, 1, 2 …; a number that is left out is a level without hosts. It has no health and gets no traffic, so the order stays the same, but statistics and panic count it.',
  sources: [manual(`${BALANCING}/priority`, 'Priority levels')],
  example: cluster('outlier_detection: {max_ejection_percent: 50}', '10.0.0.1:80, {address: 10.0.1.1:80, priority: 2}'),
  repaired: cluster(
    'outlier_detection: {max_ejection_percent: 50}',
    '10.0.0.1:80, {address: 10.0.1.1:80, priority: 1}',
  ),
  check: eachCluster(({ priorities, groups, fixed, path }, report) => {
    const gap = priorities.find((priority, index) => priority !== index);
    if (gap === undefined || !fixed) return;
    const group = groups.find(({ group: { priority } }) => priority === gap);
    report(
      [...(group?.path ?? path), 'priority'],
      `priority ${gap}, but none has hosts before it at ${priorities.indexOf(gap)}`,
    );
  }),
};
