import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Host } from '../src/host/host.js';
import type { PolicyModule } from '../src/policy/foreign/policy-module.js';
import { createSimulation, loadScenario } from '../src/index.js';
import { BALANCER_LAWS, policyModuleUnderTest } from '../src/testing/index.js';
import { lbsim } from './cli/harness.js';

/** The modules of examples/policies, each with its laws, its scenario and its question. */

const FOLDER = join(import.meta.dirname, '../examples/policies');
const NAMES = readdirSync(FOLDER).flatMap((file) => (file.endsWith('.mjs') ? [file.replace('.mjs', '')] : []));

async function moduleOf(name: string): Promise<PolicyModule> {
  const { default: module } = (await import(join(FOLDER, `${name}.mjs`))) as { default: PolicyModule };
  return module;
}

describe.each(NAMES)('examples/policies/%s', (name) => {
  it('has 60 lines at most, and a scenario with a question', () => {
    expect(readFileSync(join(FOLDER, `${name}.mjs`), 'utf8').split('\n').length).toBeLessThanOrEqual(61);
    expect(readFileSync(join(FOLDER, `${name}.yaml`), 'utf8')).toMatch(/^# yaml-language-server.*\n# "[A-Z].*\?"\n/);
  });

  it('obeys the laws of every balancer', async () => {
    const subject = policyModuleUnderTest(await moduleOf(name));
    for (const { check } of BALANCER_LAWS) check(subject, { seed: 1, numRuns: 30 });
  });

  it('answers its question', async () => {
    const { stdout, stderr, code } = await lbsim(['run', join(FOLDER, `${name}.yaml`), '--allow-code', '--json']);
    const { expect: found } = JSON.parse(stdout) as { expect: readonly { passed: boolean }[] };
    expect([code, stderr, found.filter(({ passed }) => !passed)]).toEqual([0, '', []]);
    expect(found.length).toBeGreaterThan(1);
  });
});

/** Ten requests, of a key each. */
async function run(module: PolicyModule, more = ''): Promise<void> {
  const text = `
clusters: [{name: web, lb_policy: ./own.mjs}]
endpoints: {web: [{address: 10.0.0.1:80, count: 2}]}
workloads: [{cluster: web, arrivals: {constant: 10/s}, stop: 1s, hash_key: {sequence: {keys: 10}}}]
timeline: [{at: 450ms, add_hosts: {cluster: web, endpoints: [10.0.0.3:80]}}]
${more}
`;
  const { scenario, problems } = loadScenario({ file: 'a.yaml', text }, { policies: { './own.mjs': module } });
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  const simulation = await createSimulation(scenario);
  while (!simulation.advance(1000));
}

interface Seen {
  readonly key: string | undefined;
  readonly hash: boolean;
  readonly attempt: number | undefined;
  readonly tried: number;
  readonly header: string | undefined;
}

/** Retries of a host that answers with 503. */
async function seenBy(readsRequests: boolean): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  const module: PolicyModule = {
    name: 'SEES',
    kind: 'list',
    readsRequests,
    start: () => null,
    refresh: () => undefined,
    choose: (_state, _source, _hosts: readonly Host[], { request }) => {
      const { key, hasHash = false, attempt, tried = [], headers } = request ?? {};
      seen.push({ key, hash: hasHash, attempt, tried: tried.length, header: headers?.['x-tenant'] });
      return 0;
    },
  };
  const text = `
clusters: [{name: web, lb_policy: ./sees.mjs}]
endpoints: {web: [{address: 10.0.0.1:80, count: 2}]}
behavior: [{hosts: {}, error_rate: 1}]
workloads:
- cluster: web
  arrivals: {constant: 1/s}
  stop: 1s
  hash_key: {sequence: {keys: 1, prefix: user-}}
  headers: {x-tenant: a}
  retry_policy: {retry_on: 5xx, num_retries: 1, retry_host_predicate: [{name: envoy.retry_host_predicates.previous_hosts}]}
`;
  const { scenario, problems } = loadScenario({ file: 'a.yaml', text }, { policies: { './sees.mjs': module } });
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  const simulation = await createSimulation(scenario);
  while (!simulation.advance(1000));
  return seen;
}

describe('a policy of a module', () => {
  it('sees the request as its route has it', async () => {
    const [first, retry] = await seenBy(true);
    expect(first).toEqual({ key: 'user-0', hash: true, attempt: 0, tried: 0, header: 'a' });
    expect(retry).toEqual({ key: 'user-0', hash: true, attempt: 1, tried: 1, header: 'a' });
  });

  it('of tables sees its hosts as they are, and the time', async () => {
    const seen: (readonly [nowUs: number | undefined, active: number | undefined, health: string | undefined])[] = [];
    const module: PolicyModule = {
      name: 'SEES_TABLE',
      kind: 'table',
      looksAtLoad: true,
      build: () => ({}),
      choose: (_table, _hi, _lo, _attempt, _trace, input) => {
        seen.push([input?.nowUs, input?.hosts[0]?.activeRequests, input?.hosts[0]?.health]);
        return 0;
      },
    };
    const text = `
clusters: [{name: web, lb_policy: ./sees.mjs, common_lb_config: {healthy_panic_threshold: {value: 100}}}]
endpoints: {web: [{address: 10.0.0.1:80, count: 2}]}
behavior: [{hosts: {}, service_time: 10s}]
workloads: [{cluster: web, arrivals: {constant: 1/s}, stop: 3s, hash_key: {sequence: {keys: 1}}}]
timeline: [{at: 1500ms, set_health: {hosts: 10.0.0.1:80, status: UNHEALTHY}}]
`;
    const { scenario, problems } = loadScenario({ file: 'a.yaml', text }, { policies: { './sees.mjs': module } });
    if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
    const simulation = await createSimulation(scenario);
    while (!simulation.advance(1000));
    expect(seen.map(([, ...rest]) => rest)).toEqual([
      [0, 'healthy'],
      [1, 'healthy'],
      [2, 'unhealthy'],
    ]);
    expect(seen.map(([nowUs]) => nowUs)).toEqual([0, 1_000_000, 2_000_000]);
  });

  it('of tables hears how its picks ended, each worker those of its own', async () => {
    const picks: (readonly [host: number, remembered: number | undefined])[] = [];
    const module: PolicyModule = {
      name: 'HEARS',
      kind: 'table',
      build: () => ({}),
      choose: (_table, _hi, _lo, _attempt, _trace, input) => {
        const host = input?.hosts.findIndex((one) => !input.memory?.has(one)) ?? 0;
        picks.push([host, input?.memory?.size]);
        return host;
      },
      answered: (memory, host, latencyUs, outcome) => {
        if (outcome === 'error') memory.set(host, latencyUs);
      },
    };
    await run(module, 'behavior: [{hosts: 10.0.0.1:80, error_rate: 100%}]\nproxies: [{count: 2}]');
    // The two proxies learn it one after the other, and forget nothing when their hosts change.
    expect(picks.filter(([host]) => host === 0)).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect(picks.length).toBeGreaterThan(9);
    expect(picks.slice(-1)).toEqual([[1, 1]]);
  });

  it('of tables gets no memory where it hears nothing', async () => {
    const seen = new Set<unknown>();
    await run({
      ...{ name: 'DEAF', kind: 'table', build: () => ({}) },
      choose: (_table, _hi, _lo, _attempt, _trace, input) => {
        seen.add(input?.memory);
        return 0;
      },
    });
    expect(seen).toEqual(new Set([undefined]));
  });

  it('of tables ends the run by what it throws as it hears', async () => {
    const answered = () => {
      throw new Error('deaf');
    };
    const module: PolicyModule = { name: 'HEARS', kind: 'table', build: () => ({}), choose: () => 0, answered };
    await expect(run(module)).rejects.toThrow('HEARS.answered threw Error: deaf');
  });

  it('gets no key where it does not ask', async () => {
    expect((await seenBy(false))[0]).toEqual({ key: undefined, hash: true, attempt: 0, tried: 0, header: 'a' });
  });
});
