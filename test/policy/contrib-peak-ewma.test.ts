import { describe, expect, it } from 'vitest';
import { Host } from '../../src/host/host.js';
import { contribPeakEwma } from '../../src/policy/extensions/contrib-peak-ewma.js';
import { loadScenario } from '../../src/scenario/load.js';
import { runScenario } from '../../src/analysis/run/run-scenario.js';
import { BALANCER_LAWS, policyModuleUnderTest } from '../../src/testing/index.js';
import { scripted } from '../support/balancing.js';

const DEFAULTS = Object.fromEntries(
  Object.entries(contribPeakEwma.settings ?? {}).map(([name, schema]) => [name, schema.default ?? 0]),
);

/** Over three hosts; draws are the low 32 bits. */
function start(draws: readonly number[], settings = {}) {
  const hosts = [1, 2, 3].map((last) => new Host({ address: `10.0.0.${last}:80` }));
  const clock = { nowUs: 0 };
  const random = scripted(...draws);
  const config = {
    settings: { ...DEFAULTS, ...settings },
    clock,
    runtime: { number: () => undefined },
    version: '1.40' as const,
    weightOf: ({ weight }: Host) => weight,
    count: () => undefined,
  };
  const state = contribPeakEwma.start(config, random);
  return {
    hosts,
    clock,
    random,
    next: () => contribPeakEwma.choose(state, 0, hosts, { random, priorityHi: 0, priorityLo: 0 }),
    answered: (host: number, latencyUs: number, outcome: 'success' | 'timeout' = 'success') =>
      contribPeakEwma.answered?.(state, hosts[host] as Host, latencyUs, outcome),
  };
}

/** One draw that compares host `first` with host `second`; of two that tie, the first if it is odd. */
const pair = (first: number, second: number, odd = false): number => {
  for (let low = 0; low < 65_536; low++) {
    const draw = second * 65_536 + low;
    if (draw % 3 === first && (draw & 1) === (odd ? 1 : 0)) return draw;
  }
  throw new Error('there is none');
};

describe('CONTRIB_PEAK_EWMA', () => {
  it('draws once: the second host by the bits above 16, the next one where they meet, and ties by the lowest bit', () => {
    const { next, random } = start([pair(0, 2, true), pair(0, 2), pair(1, 1), pair(2, 2)]);
    expect([next(), next(), next(), next()]).toEqual([0, 2, 2, 0]);
    expect(random.draws).toBe(4);
  });

  it('adds an answer to the average at the next aggregation, by its age then', () => {
    const { answered, clock, next } = start(Array<number>(9).fill(pair(0, 1)), { default_rtt: 49_000 });
    answered(0, 50_999); // 50 ms, and the first: at 100 ms it is the average
    expect(next()).toBe(1); // nothing is known yet: a tie
    clock.nowUs = 100_000;
    expect(next()).toBe(1); // 50 against 49
    // A slow answer of another host, 50 ms before the next aggregation, hardly counts.
    answered(1, 40_000);
    clock.nowUs = 250_000;
    answered(1, 2_000_000);
    clock.nowUs = 299_999;
    expect(next()).toBe(1); // 50 against 40
    clock.nowUs = 300_000;
    expect(next()).toBe(1); // 40 + (1 - e^(-0.005)) 1960 = 49.78
    answered(1, 2_000_000);
    clock.nowUs = 400_000;
    expect(next()).toBe(0); // and 100 ms of age more than that
  });

  it('leaves an average as it is where answers took 0 ms', () => {
    const { answered, clock, next } = start(Array<number>(9).fill(pair(0, 1)), { default_rtt: 49_000 });
    answered(0, 50_000);
    clock.nowUs = 100_000;
    expect(next()).toBe(1); // 50 against 49
    for (let answer = 0; answer < 3; answer++) answered(0, 999);
    clock.nowUs = 200_000;
    expect(next()).toBe(1); // 48.5, had they counted
  });

  it('takes 0 ms for no measurement, time-outs for none, and avoids who is busy without one', () => {
    const { answered, clock, hosts, next } = start(Array<number>(9).fill(pair(0, 1, true)));
    answered(0, 999);
    answered(1, 5_000_000, 'timeout');
    clock.nowUs = 100_000;
    expect(next()).toBe(0); // 10 ms, the default, both
    (hosts[0] as Host).activeRequests = 1;
    expect(next()).toBe(1); // 1,000,001 against 10
    (hosts[1] as Host).activeRequests = 2;
    expect(next()).toBe(0); // 1,000,001 against 1,000,002
  });

  it('of more answers than it holds, the last ones take the place of the first, and count again', () => {
    const { answered, clock, next } = start(Array<number>(3).fill(pair(0, 1)), {
      max_samples_per_host: 2,
      default_rtt: 9000,
    });
    // The third stands in the first place: 8, 20, 8 are added, and 8 is the first.
    for (const us of [20_000, 20_000, 8000]) answered(0, us);
    clock.nowUs = 100_000;
    expect(next()).toBe(0); // 8.1 ms against 9
  });

  it.each(BALANCER_LAWS.filter(({ name }) => ['repeats itself', 'picks hosts that are there'].includes(name)))(
    '$name',
    ({ check }) => check(policyModuleUnderTest(contribPeakEwma)),
  );
});

describe('in a v3 file', () => {
  const text = (config: string, rest = ''): string => `
api: v3
clusters:
- name: web
  load_balancing_policy:
    policies:
    - typed_extension_config:
        name: envoy.load_balancing_policies.peak_ewma
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.load_balancing_policies.peak_ewma.v3alpha.PeakEwma
          ${config}
endpoints: {web: [{address: 10.0.0.1:80, count: 3}, {address: 10.0.1.1:80, count: 3, priority: 1}]}
behavior: [{hosts: {}, service_time: 5ms}, {hosts: {address: 10.0.0.3:80}, service_time: 50ms}]
workloads: [{cluster: web, arrivals: {constant: 100/s}, stop: 10s}]
${rest}`;

  async function run(config: string, rest?: string) {
    const { scenario, problems } = loadScenario({ file: 'a.yaml', text: text(config, rest) }, {});
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    if (scenario === undefined) throw new Error('it does not load');
    return runScenario(scenario);
  }

  it('it is known by its message, and runs with its settings', async () => {
    const { clusters, input } = await run('decay_time: 5s');
    expect(clusters['web']?.policy).toBe('CONTRIB_PEAK_EWMA');
    expect(input?.join()).toContain('CONTRIB_PEAK_EWMA is in contrib builds of the proxy only');
    // Idle hosts without average cost 10 ms, the slow one 50 ms once it has answered: it is asked once, or twice within 100 ms.
    const slow = clusters['web']?.hosts.find(({ address }) => address === '10.0.0.3:80');
    expect(slow?.requests).toBeLessThan(10);
  });

  it('knows no failover: the healthy hosts of the first priority, or nobody', async () => {
    const { totals, clusters } = await run(
      'aggregation_interval: 0.2s',
      'timeline: [{at: 5s, set_health: {hosts: {priority: 0}, status: UNHEALTHY}}]',
    );
    expect(totals.no_healthy_upstream).toBe(500);
    expect(clusters['web']?.hosts.filter(({ priority, requests }) => priority === 1 && requests > 0)).toEqual([]);
  });

  it('its settings are checked', () => {
    const { problems } = loadScenario({ file: 'a.yaml', text: text('rtt_smoothing_factor: 0.1') }, {});
    expect(problems[0]).toMatchObject({ rule: 'policy-settings', line: 11 });
    expect(problems[0]?.message).toContain('rtt_smoothing_factor is no setting of CONTRIB_PEAK_EWMA');
  });
});
