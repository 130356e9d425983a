import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { camel } from '../../../src/config/reader/letter-case.js';
import { importScenario } from '../../../src/scenario/import/import.js';
import type { Input } from '../../../src/scenario/input/read-inputs.js';
import { loadScenario } from '../../../src/scenario/load.js';
import type { Scenario } from '../../../src/scenario/model.js';
import { unsupportedFeatures } from '../../../src/analysis/run/unsupported.js';
import { runScenario } from '../../../src/analysis/run/run-scenario.js';
import { sharedFolder } from '../../conformance/shared.js';
import { modernScenario } from '../../swarm/modern-scenario.js';
import { Dice, randomScenario, type ScenarioValue } from '../../swarm/random-scenario.js';

/** `lbsim run FILE --hosts '*=1'` and `lbsim import FILE | lbsim run - --hosts '*=1'` are one answer. */

interface Outcome {
  /** Why nothing is run; undefined: it is. */
  readonly refused: string | undefined;
  readonly scenario: Scenario | undefined;
}

function outcome(inputs: readonly Input[]): Outcome {
  const { scenario, problems } = loadScenario(inputs, { durationText: '50ms', hosts: ['*=1'], statistics: false });
  const [error] = problems.filter(({ severity }) => severity === 'error');
  const [feature] = scenario === undefined ? [] : unsupportedFeatures(scenario);
  return { refused: error?.message ?? feature?.feature ?? scenario?.origin.unsent, scenario };
}

async function shares({ refused, scenario }: Outcome): Promise<unknown> {
  if (refused !== undefined || scenario === undefined) return 'refused';
  const { clusters, totals } = await runScenario(scenario);
  const rows = Object.entries(clusters).map(([name, { hosts }]) => [
    name,
    hosts.map(({ address, requests, weight, priority, health }) => ({ address, requests, weight, priority, health })),
  ]);
  return { rows, totals, versions: scenario.proxies.map(({ version }) => version) };
}

/** @returns whether the files can be run at all. */
async function holds(inputs: readonly Input[]): Promise<boolean> {
  const own = outcome(inputs);
  const { text, problems } = importScenario(inputs);
  if (text === undefined) {
    expect(own.refused, problems.map(({ message }) => message).join('\n')).toBeDefined();
    return false;
  }
  const again = outcome([{ file: 'x.yaml', text }]);
  if (own.refused === undefined) expect(again.refused, text).toBeUndefined();
  // What an import leaves out may be what a run refuses.
  if (own.refused !== undefined) return false;
  expect(await shares(again), text).toEqual(await shares(own));
  return true;
}

// --- random files --------------------------------------------------------------------------------------------------

/** The proxy's own form of a scenario's hosts. */
function assignmentOf(name: string, hosts: readonly ScenarioValue[]): ScenarioValue {
  const groups = new Map<string, object[]>();
  for (const { address, weight, health, metadata, zone, locality, priority } of hosts) {
    const [, host, port] = /^(.*):(\d+)$/.exec(String(address)) ?? [];
    const place = JSON.stringify({ locality: locality ?? (zone === undefined ? undefined : { zone }), priority });
    const filters = metadata as { filter_metadata?: object } | undefined;
    const endpoint = {
      endpoint: { address: { socket_address: { address: host, port_value: Number(port) } } },
      load_balancing_weight: weight,
      health_status: health,
      metadata: filters && { filter_metadata: filters.filter_metadata ?? { 'envoy.lb': filters } },
    };
    groups.set(place, [...(groups.get(place) ?? []), endpoint]);
  }
  const endpoints = [...groups].map(([place, lb_endpoints]) => ({ ...(JSON.parse(place) as object), lb_endpoints }));
  return { cluster_name: name, endpoints };
}

/** A route as a mesh may have it; `gone` is a cluster of no file. */
function route(dice: Dice, names: readonly string[]): ScenarioValue {
  const some = (): string => dice.pick([...names, ...names, 'gone']);
  const match = (): ScenarioValue => ({
    metadata_match: { filter_metadata: { 'envoy.lb': { stage: dice.pick(['prod', 'dev']) } } },
  });
  const entry = (): ScenarioValue => ({ name: some(), weight: dice.int(1, 100), ...dice.maybe(0.3, match) });
  const target = dice.chance(0.5)
    ? { cluster: some() }
    : { weighted_clusters: { clusters: [...dice.list(1, 2, entry), entry()] } };
  const hash = dice.pick([{ header: { header_name: 'x-a' } }, { cookie: { name: 'sid', ttl: '60s' } }]);
  const action = {
    ...target,
    ...dice.maybe(0.3, match),
    ...dice.maybe(0.5, () => ({ hash_policy: [{ ...hash, terminal: dice.chance(0.5) }] })),
    ...dice.maybe(0.3, () => ({ timeout: `${dice.int(1, 9)}s` })),
    ...dice.maybe(0.2, () => ({ priority: 'HIGH' })),
    ...dice.maybe(0.3, () => ({ request_mirror_policies: [{ cluster: some() }] })),
    ...dice.maybe(0.4, () => ({
      retry_policy: { retry_on: '5xx,reset', num_retries: 2, retry_back_off: { base_interval: '0.01s' } },
    })),
  };
  return { match: { prefix: '/' }, route: action };
}

/** Names of fields as JSON of protobuf has them; what users and extensions name stays. */
function inCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inCamelCase);
  if (typeof value !== 'object' || value === null) return value;
  const isFree = (key: string): boolean => ['filter_metadata', 'default_subset', 'match'].includes(key);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [camel(key), isFree(key) ? inner : inCamelCase(inner)]),
  );
}

function randomFiles(seed: number): readonly Input[] {
  const dice = new Dice(seed);
  const value = dice.chance(0.5) ? modernScenario(seed) : randomScenario(seed);
  const hosts = value['endpoints'] as Readonly<Record<string, readonly ScenarioValue[]>>;
  const assignments: ScenarioValue[] = [];
  const clusters = (value['clusters'] as readonly ScenarioValue[]).map((cluster) => {
    const name = String(cluster['name']);
    if (cluster['type'] === 'ORIGINAL_DST' || hosts[name] === undefined) return cluster;
    const assignment = assignmentOf(
      name,
      hosts[name].map((host) => (typeof host === 'string' ? { address: host } : host)),
    );
    if (cluster['type'] !== 'EDS') return { ...cluster, load_assignment: assignment };
    if (dice.chance(0.5)) assignments.push(assignment);
    return cluster;
  });
  const names = clusters.flatMap((cluster) => (cluster['type'] === 'ORIGINAL_DST' ? [] : [String(cluster['name'])]));
  const table = {
    name: 'r',
    virtual_hosts: [{ name: 'v', domains: ['*'], routes: dice.list(0, 4, () => route(dice, names)) }],
  };
  const parts = [clusters, ...(assignments.length === 0 ? [] : [assignments]), ...(dice.chance(0.2) ? [{}] : [table])];
  const isCamel = dice.chance(0.5);
  const version = value['api'] === 'v3' ? { resource_api_version: 'V3' } : {};
  return parts.map((part, index) => {
    const named = index === 0 && value['api'] === 'v3' ? withEvidence(part as readonly ScenarioValue[], version) : part;
    return { file: `${index}.json`, text: JSON.stringify(isCamel ? inCamelCase(named) : named) };
  });
}

/** A list of clusters that says by itself that it is v3. */
function withEvidence(clusters: readonly ScenarioValue[], version: ScenarioValue): readonly ScenarioValue[] {
  const type = { '@type': 'type.googleapis.com/envoy.config.cluster.v3.Cluster' };
  return clusters.map((cluster) => ({
    ...type,
    ...cluster,
    ...(cluster['type'] === 'EDS' && { eds_cluster_config: { eds_config: { ads: {}, ...version } } }),
  }));
}

const RUNS = 30;

it('random files', async () => {
  let ran = 0;
  for (let seed = 1; seed <= RUNS; seed++) {
    try {
      if (await holds(randomFiles(seed))) ran += 1;
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    }
  }
  expect(ran).toBeGreaterThan(RUNS / 2);
});

// --- files that there are ------------------------------------------------------------------------------------------

const scenarios = join(import.meta.dirname, '../../../scenarios');

it.each(readdirSync(scenarios).filter((name) => name.endsWith('.yaml')))('the clusters of %s', async (name) => {
  const { clusters } = parse(readFileSync(join(scenarios, name), 'utf8')) as { readonly clusters: unknown };
  await holds([{ file: 'clusters.json', text: JSON.stringify(clusters) }]);
});

interface Expected {
  readonly files: Readonly<Record<string, object>>;
  readonly groups: Readonly<Record<string, { readonly files: readonly string[] }>>;
}

function realCases(folder: string): readonly (readonly [string, readonly string[]])[] {
  if (!existsSync(folder)) return [];
  const { files, groups } = JSON.parse(readFileSync(join(folder, 'expect.json'), 'utf8')) as Expected;
  return [
    ...Object.keys(files).map((name) => [name, [name]] as const),
    ...Object.entries(groups).map(([name, one]) => [name, one.files] as const),
  ];
}

describe.each(['real', 'real-more'].filter((name) => existsSync(join(sharedFolder, name))))('%s', (set) => {
  const folder = join(sharedFolder, set);
  it.each(realCases(folder))('%s', async (_, names) => {
    await holds(names.map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') })));
  });
});
