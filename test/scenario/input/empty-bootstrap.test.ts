import { expect, it } from 'vitest';
import { loadScenario } from '../../../src/scenario/load.js';

it('a bootstrap without clusters has nothing to send to, and says what to add', () => {
  const { scenario, problems } = loadScenario({ file: 'a.yaml', text: 'static_resources: {listeners: []}\n' });
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(scenario?.notes).toEqual([]);
  expect(scenario?.origin.unsent).toBe('there is no cluster, so nothing can be sent: name the file that has them, too');
});
