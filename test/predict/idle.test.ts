import { expect, test } from 'vitest';
import { predict } from '../../src/predict/predict.js';
import { scenarioOf } from '../support/run.js';

test('before anything is sent each kind of request counts alike', async () => {
  const requests = ['a', 'a', 'b'].map((stage, index) => ({
    at: `${5 + index}s`,
    cluster: 'c',
    metadata_match: { stage },
  }));
  const { clusters } = await predict(
    scenarioOf({
      duration: '9s',
      clusters: [{ name: 'c', lb_subset_config: { subset_selectors: [{ keys: ['stage'] }] } }],
      endpoints: {
        c: [
          { address: '10.0.0.1:80', metadata: { stage: 'a' } },
          { address: '10.0.0.2:80', metadata: { stage: 'b' } },
        ],
      },
      requests,
      timeline: [{ at: '2s', set_weight: { hosts: '10.0.0.1', weight: 2 } }],
    }),
  );
  const shares = clusters['c']?.phases.map((phase) => phase.hosts.map(({ share }) => share));
  expect(shares).toEqual([
    [0.5, 0.5],
    [expect.closeTo(2 / 3, 9), expect.closeTo(1 / 3, 9)],
  ]);
});
