/**
 * What a prediction of 10,000 hosts over 101 phases costs in other shapes than that of `bench/predict.yaml`: CPU time and
 * memory of `lbsim predict --json`. `npm run bench -- shapes`; docs/performance.md tells how to read it.
 */
import type { Scenario } from './command-cost.js';
import { address, scenarioCost } from './command-cost.js';
import { print } from './print.js';

const HOSTS = 10_000;
const PHASES = 101;
const LB = 'envoy.lb';

type Endpoint = Readonly<Record<string, unknown>>;

/** What happens a second after the other. */
function eachSecond(what: (second: number) => Scenario): Scenario[] {
  return Array.from({ length: PHASES - 1 }, (_, at) => ({ at: `${at + 1}s`, ...what(at + 1) }));
}

function endpoints(fields: (index: number) => Scenario): Endpoint[] {
  return Array.from({ length: HOSTS }, (_, index) => ({ address: address(index), ...fields(index) }));
}

const PLAIN = endpoints(() => ({}));
const LABELLED = endpoints((index) => ({ metadata: labels(index) }));
const ONE_FAILS = eachSecond((second) => ({
  set_health: { hosts: address(7), status: second % 2 === 1 ? 'UNHEALTHY' : 'HEALTHY' },
}));
const SUBSETS = {
  lb_subset_config: {
    fallback_policy: 'ANY_ENDPOINT',
    subset_selectors: [{ keys: ['version'] }, { keys: ['stage'] }, { keys: ['version', 'stage', 'shard'] }],
  },
};

function labels(index: number): Scenario {
  return { [LB]: { version: `v${index % 5}`, stage: `s${index % 3}`, shard: `${index % 20}` } };
}

function scenario(
  timeline: readonly Scenario[],
  hosts: readonly Endpoint[] = PLAIN,
  cluster: Scenario = {},
  workload: Scenario = {},
): Scenario {
  return {
    proxy: { version: '1.40' },
    clusters: [{ name: 'b', ...cluster }],
    endpoints: { b: hosts },
    workloads: [{ cluster: 'b', arrivals: { constant: '1000/s' }, stop: `${PHASES}s`, ...workload }],
    timeline,
  };
}

const SHAPES: Readonly<Record<string, () => Scenario>> = {
  'one host fails and returns': () => scenario(ONE_FAILS),
  'another host fails each time': () =>
    scenario(eachSecond((second) => ({ set_health: { hosts: address(97 * second), status: 'UNHEALTHY' } }))),
  'one joins or leaves': () =>
    scenario(
      eachSecond((second) =>
        second % 2 === 1
          ? { remove_hosts: address(97 * second) }
          : { add_hosts: { cluster: 'b', endpoints: [address(HOSTS + second)] } },
      ),
    ),
  'weights change': () =>
    scenario(eachSecond((second) => ({ set_weight: { hosts: address(97 * second), weight: 1 + (second % 5) } }))),
  'ten zones': () =>
    scenario(
      ONE_FAILS,
      endpoints((index) => ({ zone: `z${index % 10}` })),
    ),
  'four localities with weights': () =>
    scenario(
      ONE_FAILS,
      endpoints((index) => ({ zone: `z${index % 4}` })),
      {
        common_lb_config: { locality_weighted_lb_config: {} },
      },
    ),
  'subsets by three selectors': () =>
    scenario(ONE_FAILS, LABELLED, SUBSETS, { metadata_match: { [LB]: { version: 'v1' } } }),
  'metadata moves hosts between subsets': () =>
    scenario(
      eachSecond((second) => ({ set_metadata: { hosts: address(97 * second), metadata: labels(second) } })),
      LABELLED,
      SUBSETS,
      { metadata_match: { [LB]: { version: 'v1' } } },
    ),
  RING_HASH: () => scenario(ONE_FAILS, PLAIN, { lb_policy: 'RING_HASH' }),
  MAGLEV: () => scenario(ONE_FAILS, PLAIN, { lb_policy: 'MAGLEV' }),
  'MAGLEV, 10,000 keys': () =>
    scenario(ONE_FAILS, PLAIN, { lb_policy: 'MAGLEV' }, { hash_key: { uniform: { keys: 10_000 } } }),
};

const rows = Object.entries(SHAPES).map(([shape, of]) => {
  const { ms, megabytes } = scenarioCost('predict', of());
  return { shape, 'CPU s': ms / 1000, MB: megabytes };
});
print({ title: `Predictions of ${HOSTS} hosts over ${PHASES} phases, as JSON:`, rows });
