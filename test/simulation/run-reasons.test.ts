import { describe, expect, it } from 'vitest';
import { loadScenarioValue } from '../../src/scenario/load.js';
import { runScenario } from '../../src/words/library.js';

const HOSTS = ['10.0.0.1:80', '10.0.0.2:80', '10.0.0.3:80', '10.0.0.4:80'];

/** A run of one cluster with `hosts`: why its numbers are what they are. */
async function reasons(
  cluster: Record<string, unknown>,
  more: Record<string, unknown> = {},
  arrivals = '100/s',
): Promise<string[]> {
  const value = {
    clusters: [{ name: 'c', ...cluster }],
    endpoints: { c: HOSTS },
    workloads: [{ cluster: 'c', arrivals: { constant: arrivals }, stop: '20s' }],
    ...more,
  };
  const { scenario, problems } = loadScenarioValue(value, 'test');
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  const { clusters } = await runScenario(scenario);
  return clusters['c']?.reasons ?? [];
}

it('none of a run without a question', async () => {
  expect(await reasons({})).toEqual([]);
  expect(await reasons({ lb_policy: 'LEAST_REQUEST' }, { behavior: [{ hosts: {}, service_time: '5ms' }] })).toEqual([]);
});

describe('ejections', () => {
  const ejecting = (version: string, more: Record<string, unknown> = {}): Promise<string[]> =>
    reasons(
      {
        common_lb_config: { update_merge_window: '0s' },
        outlier_detection: { interval: '1s', base_ejection_time: '2s', max_ejection_percent: 50, ...more },
      },
      { proxies: [{ version }], behavior: [{ hosts: '10.0.0.4', error_rate: '100%' }] },
    );

  it('take base_ejection_time times their number, and until the next sweep', async () => {
    // The fifth error comes 0.2 s after the first: out for 2 s and until a second is full, then for 4 s, and for 6 s.
    const [text] = await ejecting('1.14');
    expect(text).toMatch(
      /^10\.0\.0\.4:80 was ejected for 2\.82 s, 4\.82 s and 6\.82 s: base_ejection_time 2 s × 1, × 2 and × 3, plus the wait for the next sweep \(interval 1 s\)$/,
    );
  });

  it('are limited by max_ejection_time where the version knows it', async () => {
    expect((await ejecting('1.17', { max_ejection_time: '3s' })).join()).toMatch(/, at most max_ejection_time 3 s, /);
    expect((await ejecting('1.40')).join()).not.toContain('at most');
  });

  it('that are not allowed are counted, with what is allowed', async () => {
    const [text] = await ejecting('1.40', { max_ejection_percent: 10 });
    expect(text).toMatch(/^max_ejection_percent \(10 %\) refused \d+ ejections: it allows 0 of 4 hosts to be out$/);
  });
});

describe('open requests', () => {
  const least = (hosts: Record<string, unknown>): Promise<string[]> =>
    reasons({ lb_policy: 'LEAST_REQUEST' }, { behavior: [{ hosts: {}, service_time: '50ms' }, hosts] }, '400/s');

  it('are few at a host that fails fast, which is sent more', async () => {
    const [text] = await least({ hosts: '10.0.0.4', service_time: '1ms', error_rate: '100%' });
    expect(text).toMatch(
      /^10\.0\.0\.4:80 gets \d\d\.\d % instead of the 25\.0 % of its weight: LEAST_REQUEST prefers hosts with few open requests, and this host answers in 1\.00 ms, the others in 50\.0 ms; 100\.0 % of [\d,]+ attempts on it fail$/,
    );
  });

  it('are few at a host that fails fast while it is not ejected', async () => {
    const found = await reasons(
      {
        lb_policy: 'LEAST_REQUEST',
        outlier_detection: { interval: '2s', base_ejection_time: '3s', max_ejection_percent: 50 },
      },
      {
        behavior: [
          { hosts: {}, service_time: '50ms' },
          { hosts: '10.0.0.4', service_time: '1ms', error_rate: '70%' },
        ],
      },
      '400/s',
    );
    expect(found).toContainEqual(
      expect.stringMatching(
        /^10\.0\.0\.4:80 gets \d\d\.\d % from \S+ to \S+ s instead of the 25\.0 % of its weight: LEAST_REQUEST prefers hosts with few open requests, and \d\d\.\d % of [\d,]+ attempts on this host fail over the run$/,
      ),
    );
  });

  it('are none at a host that refuses', async () => {
    const [text] = await reasons(
      { lb_policy: 'LEAST_REQUEST' },
      {
        behavior: [{ hosts: {}, service_time: '50ms' }],
        timeline: [{ at: '0s', fail: '10.0.0.4' }],
      },
      '400/s',
    );
    expect(text).toMatch(/attempts on this host fail at once, so none stay open$/);
  });

  it('are many at a slow one, and stay at one that hangs', async () => {
    expect((await least({ hosts: '10.0.0.4', service_time: '500ms' }))[0]).toMatch(
      /^10\.0\.0\.4:80 gets \d\.\d %.*this host answers in 500\.0 ms, the others in 50\.0 ms; in 6\.3 % of the picks both draws fall on it$/,
    );
    const [hangs] = await reasons(
      { lb_policy: 'LEAST_REQUEST' },
      { timeline: [{ at: '10s', set_behavior: { hosts: '10.0.0.4', down: 'hang' } }] },
    );
    expect(hangs).toMatch(/attempts on this host got no answer and stayed open$/);
  });

  it('are nothing to a policy of turns', async () => {
    expect(await reasons({}, { behavior: [{ hosts: '10.0.0.4', error_rate: '100%' }] })).toEqual([]);
  });
});

describe('names', () => {
  const names = {
    'a.test': { addresses: ['10.0.0.1', '10.0.0.2', '10.0.0.3'] },
    'b.test': { addresses: ['10.0.0.9'] },
  };

  it('of STRICT_DNS count as often as they have addresses', async () => {
    const endpoints = {
      c: [
        { address: 'a.test:80', weight: 1 },
        { address: 'b.test:80', weight: 2 },
      ],
    };
    expect(await reasons({ type: 'STRICT_DNS' }, { endpoints, dns: names })).toEqual([
      'STRICT_DNS makes every address of a name a host with the weight of the name: a.test has 3 addresses × weight 1 = 60.0 %, b.test has 1 address × weight 2 = 40.0 %',
    ]);
    expect(await reasons({ type: 'STRICT_DNS', lb_policy: 'RANDOM' }, { endpoints, dns: names })).toEqual([
      expect.stringMatching(/a host: a\.test has 3 addresses = 7\d\.\d %, b\.test has 1 address = 2\d\.\d %$/),
    ]);
  });

  it('of LOGICAL_DNS are one host, whatever the case of its name', async () => {
    for (const address of ['a.test:80', 'A.Test:80'])
      expect(await reasons({ type: 'LOGICAL_DNS' }, { endpoints: { c: [address] }, dns: names })).toEqual([
        'LOGICAL_DNS uses only the first of the 3 addresses of its name, 10.0.0.1:80',
      ]);
    expect(await reasons({ type: 'LOGICAL_DNS' }, { endpoints: { c: ['b.test:80'] }, dns: names })).toEqual([]);
  });
});

describe('turns', () => {
  it('of several workers do not come out even', async () => {
    const endpoints = { c: [{ address: '10.0.0.1:80', count: 8 }] };
    const few = { endpoints, seed: 2, proxies: [{ workers: 8 }] };
    expect(await reasons({}, few, '2/s')).toEqual([
      expect.stringMatching(
        /^each worker rotates on its own .* with 8 rotations hosts may differ by 8 requests, and here equal hosts get \d to \d, 5 on average$/,
      ),
    ]);
    expect(await reasons({}, { ...few, proxies: [{ workers: 1 }] }, '2/s')).toEqual([]);
    // A thousand turns of each: nobody sees the difference.
    expect(await reasons({}, few, '2000/s')).toEqual([]);
  });

  const restless = (version: string): Promise<string[]> =>
    reasons(
      {},
      {
        proxies: [{ version }],
        endpoints: {
          c: [
            { address: '10.0.0.1:80', count: 3, weight: 100 },
            { address: '10.0.0.9:80', weight: 1 },
          ],
        },
        timeline: [
          { every: '2s', from: '1s', set_metadata: { hosts: '10.0.0.1', metadata: { 'proxy.lb': { build: 'odd' } } } },
          { every: '2s', from: '2s', set_metadata: { hosts: '10.0.0.1', metadata: { 'proxy.lb': { build: 'even' } } } },
        ],
      },
    );

  // The merge window of a second makes two updates one.
  it('begin anew with each update, which a small weight does not live to see', async () => {
    expect(await restless('1.17')).toEqual([
      'every update restarts the rotation, and 10.0.0.9:80 would have its turn after about 300 requests, but at most 200 come between two updates, so it got 0 requests instead of 7',
    ]);
  });

  it('that begin somewhere come round', async () => {
    expect(await restless('1.40')).toEqual([]);
  });
});

describe('limits', () => {
  const retries = { retry_policy: { retry_on: '5xx', num_retries: 1 } };
  const failing = {
    behavior: [{ hosts: {}, service_time: '100ms', error_rate: '100%' }],
    workloads: [{ cluster: 'c', arrivals: '500/s', stop: '5s', ...retries }],
  };

  it('of retries say what they are and whether somebody chose it', async () => {
    expect(await reasons({}, failing)).toEqual([
      expect.stringMatching(
        /^max_retries \(3, the default\) refused [\d,]+ retries: raise it or set a retry_budget in circuit_breakers$/,
      ),
    ]);
    const configured = { circuit_breakers: { thresholds: [{ max_retries: 5 }] } };
    expect(await reasons(configured, failing)).toEqual([
      expect.stringMatching(/^max_retries \(5\) refused [\d,]+ retries$/),
    ]);
  });

  it('of a budget are what it allowed when it refused', async () => {
    const budget = { budget_percent: { value: 10 }, min_retry_concurrency: 2 };
    const found = await reasons({ circuit_breakers: { thresholds: [{ retry_budget: budget }] } }, failing);
    expect(found).toEqual([
      expect.stringMatching(
        /^the retry budget \(10 % of active and pending requests, at least 2\) allowed \d to \d at once and refused [\d,]+ retries$/,
      ),
    ]);
  });

  it('that nobody wrote are told where they are reached', async () => {
    const busy = { behavior: [{ hosts: {}, service_time: '10s' }] };
    expect((await reasons({}, busy, '500/s')).join()).toMatch(
      /the default limits max_connections \(1,024\), max_pending_requests \(1,024\) and max_requests \(1,024\) were reached, so requests beyond max_connections waited, and [\d,]+ requests were refused/,
    );
    const written = { thresholds: [{ max_connections: 1024, max_pending_requests: 1024, max_requests: 1024 }] };
    expect((await reasons({ circuit_breakers: written }, busy, '500/s')).join()).not.toContain('default');
  });
});
