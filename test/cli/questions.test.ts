import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { Folder } from './files.js';
import { lbsim } from './harness.js';

const folder = new Folder();
afterAll(() => folder.remove());
const root = join(import.meta.dirname, '../..');

/** A bootstrap with a checked cluster for each list of numbers of hosts by zone. */
function bootstrap(clusters: readonly (readonly number[])[], more: object = {}): string {
  const check = { timeout: '1s', interval: '1s', unhealthy_threshold: 1, healthy_threshold: 1, tcp_health_check: {} };
  return stringify({
    static_resources: {
      clusters: clusters.map((zones, index) => ({
        name: `c${index}`,
        connect_timeout: '1s',
        health_checks: [check],
        ...more,
        load_assignment: {
          cluster_name: `c${index}`,
          endpoints: zones.map((hosts, zone) => ({
            locality: { zone: `z${zone}` },
            lb_endpoints: Array.from({ length: hosts }, (_, host) => ({
              endpoint: { address: { socket_address: { address: `10.${index}.${zone}.${host + 1}`, port_value: 80 } } },
            })),
          })),
        },
      })),
    },
  });
}

/** Whether each cluster passes. */
async function verdicts(question: string, config: string): Promise<readonly boolean[]> {
  const { stdout } = await lbsim(['test', question, '--on', folder.file('config.yaml', config), '--json']);
  const { files } = JSON.parse(stdout) as {
    readonly files: readonly {
      readonly status: string;
      readonly expectations: readonly { readonly passed: boolean }[];
    }[];
  };
  expect(files.map(({ status }) => status)).not.toContain('error');
  return files.flatMap(({ expectations }) => expectations.map(({ passed }) => passed));
}

describe('docs/questions/', () => {
  it('are put to any cluster, by name', async () => {
    for (const file of readdirSync(join(root, 'docs/questions'))) {
      const found = await verdicts(file.replace('.yaml', ''), bootstrap([[3, 3, 3], [4]]));
      expect(found, file).toHaveLength(2);
      expect(found[0], file).toBe(true);
    }
  });

  it('no-panic-after-one-zone fails just where less than half of the hosts are left', async () => {
    const zones = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fc.array(zones, { minLength: 4, maxLength: 8 }), async (clusters) => {
        const hosts = clusters.map((own) => own.reduce((sum, size) => sum + size, 0));
        const survive = clusters.map((own, index) => 2 * Math.max(...own) <= (hosts[index] ?? 0));
        expect(await verdicts('no-panic-after-one-zone', bootstrap(clusters))).toEqual(survive);
      }),
      { numRuns: 10, seed: 11 },
    );
  });

  it('nobody-over-capacity: 1,000 requests a second need three hosts of 400', async () => {
    expect(
      await verdicts(
        'nobody-over-capacity',
        bootstrap([
          [2, 2, 2],
          [1, 1, 1, 1],
          [3, 3, 1],
        ]),
      ),
    ).toEqual([true, false, true]);
  });

  it('retry-budget-holds fails where a circuit breaker lets all retries through', async () => {
    const open = { circuit_breakers: { thresholds: [{ max_retries: 1000 }] } };
    expect(await verdicts('retry-budget-holds', bootstrap([[3]]))).toEqual([true]);
    expect(await verdicts('retry-budget-holds', bootstrap([[3]], open))).toEqual([false]);
  });
});

describe('an expectation that survives', () => {
  const text = (survives: string): string => `
clusters: [{name: web, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}, {name: other}]
endpoints: {web: [{address: 10.0.0.1:80, count: 2, zone: a}, {address: 10.0.1.1:80, count: 3, zone: b}], other: [10.9.0.1:80]}
workloads: [{cluster: web, arrivals: 10/s, stop: 1s}, {cluster: other, arrivals: 10/s, stop: 1s}]
expect: [{survives: ${survives}}]
`;
  const test = async (survives: string) => lbsim(['test', folder.file('s.yaml', text(survives))]);

  it('holds, or says what it does not survive', async () => {
    expect(await test('{cluster: web, lose: [2 hosts]}')).toMatchObject({ code: 0 });
    const { code, stdout } = await test('{cluster: web, lose: [zone, 1 host], without: [panic]}');
    expect(code).toBe(1);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'web survives the loss of zone and 1 host without panic: it is not: losing a, 10.0.1.1:80 brings panic',
    );
    const { stdout: ran } = await lbsim([
      'run',
      folder.file('s.yaml', text('{cluster: web, lose: [zone=a]}')),
      '--full',
    ]);
    expect(ran.replace(/\s+/g, ' ')).toContain('survives the loss of zone=a without failures or overload ok (proven)');
  });

  it('is asked of every cluster where none is named', async () => {
    const { stdout } = await test('{lose: [1 host]}');
    expect(stdout).toContain('1 of 2 expectations failed');
    expect(stdout).toContain('other survives the loss');
  });

  it.each([
    ['{lose: [color=red]}', '"color" is not a part of a selector'],
    ['{lose: [zone], without: [rain]}', 'expected'],
    ['{lose: [zone], without: [overload]}', 'no host has a capacity'],
    ['{lose: [zone]}, at_least: 3', 'what survives is proven'],
  ])('refuses %s', async (survives, message) => {
    const { code, stdout } = await test(survives);
    expect(code).toBe(2);
    expect(stdout.replace(/\s+/g, ' ')).toContain(message);
  });
});
