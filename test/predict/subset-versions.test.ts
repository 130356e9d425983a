import { describe, expect, it } from 'vitest';
import { PROXY_VERSIONS, type ProxyVersion } from '../../src/core/version.js';
import { predict, runScenario } from '../../src/words/library.js';
import { loadScenarioValue } from '../../src/scenario/load.js';
import { deviations } from './deviations.js';

interface Told {
  /** By phase: each host's percent, by address without prefix and port. */
  readonly phases: readonly Readonly<Record<string, number>>[];
  readonly reasons: readonly (readonly string[])[];
}

/** What is predicted of a scenario's subsets, once a run has agreed to it. */
async function predicted(version: ProxyVersion, subsets: object, rest: object): Promise<Told> {
  const { scenario, problems } = loadScenarioValue(
    {
      proxy: { version },
      duration: '6s',
      clusters: [
        {
          name: 'c',
          connect_timeout: '1s',
          type: 'EDS',
          eds_cluster_config: { eds_config: { ads: {} } },
          common_lb_config: { update_merge_window: '0s' },
          lb_subset_config: subsets,
        },
      ],
      ...rest,
    },
    'subsets',
  );
  if (scenario === undefined) throw new Error(JSON.stringify(problems));
  const [run, prediction] = [await runScenario(scenario), await predict(scenario)];
  expect(deviations(run, prediction).filter(({ z }) => Math.abs(z) >= 5)).toEqual([]);
  const { phases = [] } = prediction.clusters['c'] ?? {};
  for (const phase of phases) {
    const twin = run.clusters['c']?.phases.find(({ from_s: from }) => from === phase.from_s);
    expect([phase.from_s, phase.reasons]).toEqual([phase.from_s, twin?.reasons]);
  }
  return {
    reasons: phases.map(({ reasons }) => reasons),
    phases: phases.map(({ hosts }) =>
      Object.fromEntries(
        hosts
          .filter(({ share }) => share > 0)
          .map(({ address, share }) => [address.replace('10.0.', '').replace(':80', ''), Math.round(share * 100)]),
      ),
    ),
  };
}

function host(address: string, metadata: object, health = 'HEALTHY'): object {
  return {
    endpoint: { address: { socket_address: { address: `10.0.${address}`, port_value: 80 } } },
    health_status: health,
    metadata: { filter_metadata: { 'envoy.lb': metadata } },
  };
}

function assignment(levels: readonly (readonly object[])[], factor = 140): object {
  return {
    cluster_name: 'c',
    policy: { overprovisioning_factor: factor },
    endpoints: levels.map((hosts, priority) => ({ priority, lb_endpoints: hosts })),
  };
}

function asking(metadata: object): object {
  return { workloads: [{ name: 'w', cluster: 'c', arrivals: '2000/s', stop: '6s', metadata_match: metadata }] };
}

describe.each(PROXY_VERSIONS)('%s: run and prediction agree on', (version) => {
  const old = version !== '1.40';
  const byVersion = { subset_selectors: [{ keys: ['v'] }], fallback_policy: 'ANY_ENDPOINT' };
  const [one, two] = [{ v: '1' }, { v: '2' }];

  it('new metadata in an update that adds a host', async () => {
    const { phases } = await predicted(version, byVersion, {
      ...asking(two),
      assignments: { c: assignment([[host('0.1', one), host('0.2', one)]]) },
      timeline: [
        { at: '2s', assign: assignment([[host('0.1', one), host('0.2', two), host('0.3', one)]]) },
        { at: '4s', set_weight: { hosts: { address: '10.0.0.1:80' }, weight: 2 } },
      ],
    });
    const any = { '0.1': 33, '0.2': 33, '0.3': 33 };
    expect(phases).toEqual([{ '0.1': 50, '0.2': 50 }, old ? any : { '0.2': 100 }, { '0.2': 100 }]);
  });

  it('the overprovisioning factor, inside a subset and of the any-endpoint one', async () => {
    // 140 % of 1/2 is 70 %, 200 % of it all.
    const hosts = [[host('0.1', one), host('0.2', one, 'UNHEALTHY')], [host('1.1', one)]];
    for (const [metadata, from] of [
      [one, 200],
      [two, 140],
    ] as const) {
      const { phases } = await predicted(version, byVersion, {
        ...asking(metadata),
        assignments: { c: assignment(hosts, 200) },
        timeline: [{ at: '3s', assign: assignment(hosts, 140) }],
      });
      const [all, spilled] = [{ '0.1': 100 }, { '0.1': 70, '1.1': 30 }];
      const first = old && from === 140 ? spilled : all;
      expect(phases).toEqual([first, old ? first : spilled]);
    }
  });

  it('an empty list under list_as_any', async () => {
    const { phases } = await predicted(
      version,
      { subset_selectors: [{ keys: ['a', 'b'] }], list_as_any: true },
      {
        ...asking({ b: 'x' }),
        assignments: { c: assignment([[host('0.1', { a: [], b: 'x' }), host('0.2', { b: 'x' }), host('0.3', one)]]) },
      },
    );
    expect(phases).toEqual([old ? { '0.1': 50, '0.2': 50 } : { '0.1': 100 }]);
  });

  it('single_host_per_subset, a second key and an unhealthy host', async () => {
    const single = { ...byVersion, subset_selectors: [{ keys: ['v'], single_host_per_subset: true }] };
    const hosts = (health?: string): object => assignment([[host('0.1', two, health), host('0.2', one)]]);
    const change = { assignments: { c: hosts() }, timeline: [{ at: '3s', assign: hosts('UNHEALTHY') }] };
    const alone = await predicted(version, single, { ...asking(two), ...change });
    const [first, other, any] = [{ '0.1': 100 }, { '0.2': 100 }, { '0.1': 50, '0.2': 50 }];
    // Among any, half of the hosts is enough not to panic.
    expect(alone.phases).toEqual([first, old ? other : first]);
    const more = await predicted(version, single, { ...asking({ ...two, w: '1' }), ...change });
    expect(more.phases).toEqual([old ? first : any, other]);
  });

  it('fallbacks of selectors that begin as another does', async () => {
    const subsets = {
      fallback_policy: 'ANY_ENDPOINT',
      subset_selectors: [{ keys: ['v', 'w'] }, { keys: ['v'], fallback_policy: 'NO_FALLBACK' }],
    };
    const traffic = { ...asking(two), assignments: { c: assignment([[host('0.1', one)]]) } };
    expect((await predicted(version, subsets, traffic)).phases).toEqual([old ? {} : { '0.1': 100 }]);
    const policy = { ...subsets, subset_selectors: [{ keys: ['v', 'w'], fallback_policy: 'ANY_ENDPOINT' }] };
    expect((await predicted(version, policy, traffic)).phases).toEqual([version === '1.12' ? {} : { '0.1': 100 }]);
  });
});
