import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { explain } from '../../src/words/library.js';
import { whyNot } from '../../src/words/library.js';
import { loadScenario } from '../../src/scenario/load.js';
import type { LoadOptions } from '../../src/scenario/generated/load-options.js';
import type { Scenario } from '../../src/scenario/model.js';
import { createSimulation } from '../../src/words/library.js';

function load(text: string, options: LoadOptions = {}, file = 'a.yaml'): Scenario {
  const { scenario, problems } = loadScenario({ file, text }, options);
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return scenario;
}

/** Whom the run itself sends request 0 to. */
async function decided(scenario: Scenario): Promise<string | null | undefined> {
  let host: string | null | undefined;
  const onDecision = (record: { readonly request: number; readonly attempt: number; readonly host: string | null }) => {
    if (record.request === 0 && record.attempt === 0) host = record.host;
  };
  const simulation = await createSimulation({ ...scenario, expect: [] }, { onDecision });
  while (!simulation.advance(1000));
  return host;
}

const root = join(import.meta.dirname, '../../scenarios');

describe('explain', () => {
  // Each shipped scenario's clusters, with one request instead of its traffic.
  const shipped = readdirSync(root).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const { clusters } = load(text, {}, file);
    return clusters.slice(0, 2).map(({ name }): [string, string] => [file, name]);
  });

  it.each(shipped)(
    '%s, %s: the host that the run itself chooses, and the last step names it',
    async (file, cluster) => {
      const whole = load(readFileSync(join(root, file), 'utf8'), { clusters: [cluster] }, file);
      const random = [7n, 1n << 63n, 12345678901234567890n, 99n, 3n].map((value) => ({
        hi: Number(value >> 32n),
        lo: Number(value & 0xffffffffn),
      }));
      const route = whole.workloads.flatMap((workload) =>
        workload.route.filter((target) => target.cluster === cluster).map((target) => ({ workload, target })),
      )[0];
      const base = { ...whole, workloads: [], timeline: [] };
      const metadataMatch = route?.target.metadataMatch ?? route?.workload.metadataMatch;
      const asked = {
        ...load('{clusters: [{name: x}], endpoints: {x: [10.0.0.1:80]}, requests: [{at: 1ms, cluster: x}]}')
          .requests[0],
      };
      const request = { ...asked, cluster, hashKey: 'user-7', metadataMatch, random } as Scenario['requests'][number];
      const host = await decided({ ...base, requests: [request], durationUs: 2000 });
      const found = await explain(
        { ...base, requests: [], durationUs: 2000 },
        { cluster, hashKey: 'user-7', metadataMatch, random, atUs: 999 },
      );
      expect(found.host?.address ?? null).toBe(host);
      if (found.host !== null) expect(found.steps.at(-1)?.outcome).toContain(found.host.address);
      expect(found.steps.every(({ rule, outcome }) => rule !== '' && outcome !== '')).toBe(true);
    },
  );

  const LEAST = `
clusters: [{name: web, lb_policy: LEAST_REQUEST}]
endpoints: {web: [10.0.0.1:80, 10.0.0.2:80, 10.0.0.3:80]}
behavior: [{hosts: 10.0.0.3, initial_active_requests: 5}]
requests: [{at: 1s, cluster: web}]
`;

  it('tells the candidates of least request with what they were compared by, and every draw', async () => {
    const random = [1n, 2n, 0n].map((value) => ({ hi: 0, lo: Number(value) }));
    const { steps, host } = await explain(load(LEAST), { random });
    expect(steps.map(({ step, draws }) => [step, draws])).toEqual([
      ['priority', ['1']],
      ['panic', []],
      ['list', []],
      ['candidate', ['2']],
      ['candidate', ['0']],
      ['host', []],
    ]);
    expect(steps[3]?.inputs).toMatchObject({ index: 2, hosts: 3, active_requests: 5, fewest: null });
    expect(steps[4]?.outcome).toBe('the draw mod 3 is 0: 10.0.0.1:80 has 0 active requests, fewer than 5, and leads');
    expect(host?.address).toBe('10.0.0.1:80');
  });

  it('does not change what the run decides: one that listens draws the same', async () => {
    const scenario = load(
      LEAST.replace('requests: [{at: 1s, cluster: web}]', 'workloads: [{cluster: web, arrivals: 50/s, stop: 1s}]'),
    );
    const [first, second] = [await explain(scenario, { atUs: 500_000 }), await explain(scenario, { atUs: 500_000 })];
    expect(second).toEqual(first);
  });

  it.each([
    ['cluster', { cluster: 'nobody' }, 'there is no cluster nobody; there are web'],
    ['proxy', { proxy: 'nobody' }, 'there is no proxy nobody; there are proxy'],
    ['worker', { worker: 3 }, 'has 1 workers, from 0: there is no worker 3'],
  ])('says where there is no such %s', async (_, options, message) => {
    await expect(explain(load(LEAST), options)).rejects.toThrow(message);
  });
});

describe('why not', () => {
  it('says that a host is unhealthy, of a priority that gets little, or that weights are not looked at', async () => {
    const text = `
clusters: [{name: web, lb_policy: RANDOM}]
endpoints:
  web: [{address: 10.0.0.1:80, weight: 9}, 10.0.0.2:80, 10.0.0.4:80, {address: 10.0.0.3:80, priority: 1}]
workloads: [{cluster: web, arrivals: {constant: 300/s}, stop: 2s}]
timeline: [{at: 1s, set_health: {hosts: 10.0.0.2, status: UNHEALTHY}}]
`;
    const [heavy] = (await whyNot(load(text), '10.0.0.1')).clusters;
    expect(heavy?.phases[0]?.why).toContain('RANDOM ignores weights');
    const [second] = (await whyNot(load(text), '10.0.0.2:80')).clusters;
    expect(second?.phases[0]?.why).toEqual([]);
    expect(second?.phases[1]?.why.join('\n')).toContain('it is unhealthy');
    const [spare] = (await whyNot(load(text), '10.0.0.3')).clusters;
    expect(spare?.phases[0]?.why).toContain('priority 1 gets 0 % of the traffic, all for this host');
  });

  it('says how many proxies have a host in their part', async () => {
    const parts = `
clusters: [{name: web, lb_policy: {policy: RANDOM, subsetting: {method: deterministic, size: 2}}}]
endpoints: {web: [{address: 10.0.0.1:80, count: 4}]}
proxies: [{name: edge}]
workloads: [{cluster: web, arrivals: {constant: 100/s}, stop: 1s}]`;
    const answers = await Promise.all(
      [1, 2, 3, 4].map(async (host) => (await whyNot(load(parts), `10.0.0.${host}`)).clusters[0]?.phases[0]?.why),
    );
    const unused = 'subsetting gives each proxy some of the 4 hosts: 0 of 1 proxy uses this one';
    expect(answers.filter((why) => why?.includes(unused) === true)).toHaveLength(2);
    expect(answers.filter((why) => why?.length === 0)).toHaveLength(2);
  });

  it('names the hosts that there are', async () => {
    const text = 'clusters: [{name: web}]\nendpoints: {web: [10.0.0.1:80]}\n';
    await expect(whyNot(load(text), '10.0.0.9')).rejects.toThrow('there is no host 10.0.0.9; there are 10.0.0.1:80');
  });
});
