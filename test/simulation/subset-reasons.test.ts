import { expect, it } from 'vitest';
import { loadScenarioValue } from '../../src/scenario/load.js';
import { runScenario } from '../../src/words/library.js';

const PROD = { v: '1', stage: 'prod' };

async function reasons(
  config: unknown,
  metadataMatch: unknown,
  timeline: unknown[] = [],
): Promise<readonly string[][]> {
  const { scenario, problems } = loadScenarioValue(
    {
      clusters: [{ name: 'web', lb_subset_config: config, common_lb_config: { update_merge_window: '0s' } }],
      endpoints: {
        web: [
          { address: '10.0.0.1:80', metadata: PROD },
          { address: '10.0.0.2:80', metadata: { v: '2' } },
        ],
      },
      workloads: [{ cluster: 'web', arrivals: { constant: '10/s' }, stop: '2s', metadata_match: metadataMatch }],
      timeline,
    },
    'test',
  );
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return ((await runScenario(scenario)).clusters['web']?.phases ?? []).map((phase) => phase.reasons);
}

const selectors = [
  { keys: ['v'] },
  { keys: ['stage', 'v'], fallback_policy: 'KEYS_SUBSET', fallback_keys_subset: ['v'] },
];

it('a phase says which fallback answers where a subset is empty', async () => {
  const config = { fallback_policy: 'DEFAULT_SUBSET', default_subset: PROD, subset_selectors: selectors };
  const leaves = [{ at: '1s', remove_hosts: '10.0.0.2:80' }];
  expect(await reasons(config, { v: '2' }, leaves)).toEqual([
    [],
    ['subset {v: "2"} is empty, so the default subset answers (fallback DEFAULT_SUBSET)'],
  ]);
  expect(await reasons(config, { v: '2', stage: 'x' })).toEqual([
    ['subset {stage: "x", v: "2"} is empty, so subset {v: "2"} answers'],
  ]);
  expect(await reasons({ ...config, panic_mode_any: true }, { v: '3' })).toEqual([
    ['subset {v: "3"} is empty, so the default subset answers, or else any host'],
  ]);
  expect(await reasons({ subset_selectors: selectors }, { v: '3' })).toEqual([
    ['subset {v: "3"} is empty and the fallback is NO_FALLBACK, so no host is asked'],
  ]);
});

it('and where requests ask for a shape that no selector has, or for nothing', async () => {
  const config = { fallback_policy: 'ANY_ENDPOINT', subset_selectors: selectors };
  expect(await reasons(config, { q: '1' })).toEqual([
    ['no selector has exactly the keys of {q: "1"}, so any host answers (fallback ANY_ENDPOINT)'],
  ]);
  expect(await reasons(config, {})).toEqual([
    ['requests that ask for no subset: any host answers (fallback ANY_ENDPOINT)'],
  ]);
});

it('a subset has panic of its own', async () => {
  const ill = [{ at: '1s', set_health: { hosts: '10.0.0.2:80', status: 'UNHEALTHY' } }];
  const [, after] = await reasons({ subset_selectors: selectors }, { v: '2' }, ill);
  expect(after).toEqual([
    'subset {v: "2"}: panic with 0 of 1 host available (0 %, threshold 50 %), so all hosts are used, healthy or not',
  ]);
});

it('and so has the one that a fallback leads to; an empty one is passed over in words', async () => {
  const ill = { fallback_policy: 'DEFAULT_SUBSET', default_subset: { v: '2' }, subset_selectors: selectors };
  const change = [{ at: '1s', set_health: { hosts: '10.0.0.2:80', status: 'UNHEALTHY' } }];
  const [, after] = await reasons(ill, undefined, change);
  expect(after).toEqual([
    'requests that ask for no subset: the default subset answers (fallback DEFAULT_SUBSET)',
    'default subset: panic with 0 of 1 host available (0 %, threshold 50 %), so all hosts are used, healthy or not',
  ]);
  const gone = [{ at: '1s', remove_hosts: '10.0.0.2:80' }];
  expect((await reasons(ill, undefined, gone))[1]).toEqual([
    'requests that ask for no subset: the default subset is empty, so no host is asked (fallback DEFAULT_SUBSET)',
  ]);
  expect((await reasons({ ...ill, panic_mode_any: true }, undefined, gone))[1]).toEqual([
    'requests that ask for no subset: the default subset is empty, so any host answers',
  ]);
});

it('what was chosen from a subset is counted, not the hosts in it', async () => {
  const { scenario } = loadScenarioValue(
    {
      clusters: [{ name: 'web', lb_subset_config: { subset_selectors: [{ keys: ['v'] }] } }],
      endpoints: { web: [{ address: '10.0.0.1:80', metadata: PROD }] },
      requests: [{ at: '1s', cluster: 'web', metadata_match: { v: '1' } }],
    },
    'test',
  );
  if (scenario === undefined) throw new Error('does not load');
  const [subset] = (await runScenario(scenario)).clusters['web']?.subsets ?? [];
  expect(subset).toMatchObject({ requests: 1, share: 1, answered: 1 });
  expect(subset).not.toHaveProperty('hosts');
});
