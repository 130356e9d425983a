import { afterAll, describe, expect, it } from 'vitest';
import { predictionJson } from '../../src/report/prediction-json.js';
import type { Prediction } from '../../src/words/results.js';
import { Folder } from './files.js';
import { lbsim } from './harness.js';

const folder = new Folder();
afterAll(() => folder.remove());

const WEIGHTED = folder.file(
  'weighted.yaml',
  `
clusters: [{name: backend, lb_policy: ROUND_ROBIN}]
endpoints: {backend: [{address: "10.0.0.1:80", weight: 3}, "10.0.0.2:80"]}
workloads: [{cluster: backend, arrivals: {constant: 100/s}, stop: 10s}]
timeline: [{at: 4s, set_health: {hosts: "10.0.0.1:80", status: DEGRADED}}]
`,
);
const LOADED = folder.file(
  'loaded.yaml',
  `
clusters: [{name: backend, lb_policy: LEAST_REQUEST}]
endpoints: {backend: ["10.0.0.1:80", "10.0.0.2:80"]}
workloads: [{cluster: backend, arrivals: 100/s, stop: 10s}]
behavior: [{hosts: {}, service_time: 5ms, concurrency: 1}, {hosts: "10.0.0.1:80", service_time: 9ms}]
`,
);
const BUSY = folder.file(
  'busy.yaml',
  `
clusters: [{name: backend, lb_policy: LEAST_REQUEST}]
endpoints: {backend: [{address: "10.0.0.1:80", count: 4}, "10.0.0.5:80"]}
workloads: [{cluster: backend, arrivals: 400/s, stop: 100s}]
behavior: [{hosts: {}, service_time: 10ms}, {hosts: "10.0.0.5:80", service_time: 80ms}]
`,
);

describe('predict', () => {
  it('shows shares, and how far chance may take them', async () => {
    const { code, stdout, stderr } = await lbsim(['predict', WEIGHTED]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      [
        'weighted  predicted, nothing was run ·',
        '  behaves as Envoy 1.17, the last of the v2 API · 10 s',
        '',
        'backend  ROUND_ROBIN · 2 phases, exact',
        '  0 – 4 s   start                                                   400 requests',
        '    host         weight    share  std. error',
        '    10.0.0.1:80       3  75.00 %    ± 0.63 %',
        '    10.0.0.2:80       1  25.00 %    ± 0.38 %',
        '',
        '  4 – 10 s   10.0.0.1:80 set DEGRADED                               600 requests',
        '    → Healthy hosts can take 70 % (1 of 2 hosts healthy × 1.4), so degraded ones',
        '      get 30 %.',
        '    host         weight  health      share  std. error',
        '    10.0.0.1:80       3  degraded  30.00 %    ± 1.87 %',
        '    10.0.0.2:80       1  healthy   70.00 %    ± 1.87 %',
        '',
      ].join('\n'),
    );
  });

  it('says why there is no prediction', async () => {
    const { code, stdout } = await lbsim(['predict', LOADED]);
    expect(code).toBe(0);
    expect(stdout).toContain('backend  LEAST_REQUEST · no prediction\n');
    expect(stdout).toContain('no prediction: a queue before service times that are not exponential');
  });

  it('says of a model how far it may be off', async () => {
    const { stdout } = await lbsim(['predict', BUSY]);
    expect(stdout).toContain('backend  LEAST_REQUEST · 1 phase: 1 approximate\n');
    expect(stdout).toMatch(/approximate: a model of busy hosts; shares are within about 0\.\d+ % of the\n    truth/);
    const { stdout: json } = await lbsim(['predict', BUSY, '--json']);
    const { method, error = 1 } = (JSON.parse(json) as Prediction).clusters['backend']?.phases[0] ?? {};
    expect(method).toBe('approximate');
    expect(error).toBeLessThan(0.01);
  });

  it('is one JSON document, each phase with its method', async () => {
    const { code, stdout } = await lbsim(['predict', WEIGHTED, '--json']);
    expect(code).toBe(0);
    const prediction = JSON.parse(stdout) as Prediction;
    expect(prediction).toMatchObject({ scenario: 'weighted', version: '1.17', duration_s: 10, proxies: {}, notes: [] });
    const { phases, requests, hosts } = prediction.clusters['backend'] ?? { phases: [], requests: 0, hosts: [] };
    expect(requests).toBe(1000);
    expect(hosts.map(({ share }) => share)).toEqual([expect.closeTo(0.48, 12), expect.closeTo(0.52, 12)]);
    expect(phases.map(({ from_s: from, to_s: to, cause, method }) => [from, to, cause, method])).toEqual([
      [0, 4, 'start', 'exact'],
      [4, 10, '10.0.0.1:80 set DEGRADED', 'exact'],
    ]);
    expect(phases[0]?.hosts[0]).toEqual({
      address: '10.0.0.1:80',
      priority: 0,
      locality: { region: '', zone: '', sub_zone: '' },
      weight: 3,
      health: 'healthy',
      share: 0.75,
      variance: 0,
      granularity: 2.5,
    });
  });

  it('never has shares without a prediction', async () => {
    const { stdout } = await lbsim(['predict', LOADED, '--json']);
    const [phase] = (JSON.parse(stdout) as Prediction).clusters['backend']?.phases ?? [];
    expect(phase).toMatchObject({ method: 'none', requests: 1000, hosts: [], priorities: [], localities: [] });
    expect(phase).not.toHaveProperty('no_host');
  });

  it('takes what-if options', async () => {
    const { stdout } = await lbsim(['predict', WEIGHTED, '--unhealthy', '10.0.0.1:80', '--json']);
    const [phase] = (JSON.parse(stdout) as Prediction).clusters['backend']?.phases ?? [];
    expect(phase?.hosts.map(({ share }) => share)).toEqual([0, 1]);
  });

  it('refuses a wrong file before anything else', async () => {
    const { code, stderr } = await lbsim(['predict', folder.file('wrong.yaml', 'clusters: [{lb_policy: RANDOM}]')]);
    expect(code).toBe(2);
    expect(stderr).toContain('Nothing was predicted.');
  });

  it('writes several clusters and proxies as valid JSON', () => {
    const cluster = {
      policy: 'RANDOM',
      method: 'none' as const,
      requests: 0,
      hosts: [],
      localities: [],
      priorities: [],
    };
    const clusters = { a: { ...cluster, subsets: [], phases: [] }, 'b"': { ...cluster, subsets: [], phases: [] } };
    const prediction: Prediction = {
      scenario: 's',
      version: '1.17',
      duration_s: 1,
      clusters,
      proxies: { p: { clusters }, q: { clusters: {} } },
      notes: ['n'],
    };
    expect(JSON.parse([...predictionJson(prediction)].join(''))).toEqual({ format: 1, ...prediction, expect: [] });
  });
});
