import { describe, expect, it } from 'vitest';
import type { DecisionRecord } from '../../src/result/run-result.js';
import { clusterStats, run, scenarioOf } from '../support/run.js';

const A = '10.0.0.1:80';
const B = '10.0.0.2:80';
const C = '10.0.0.3:80';

/** One request whose attempts all fail. */
function failing(policy: Record<string, unknown>, more: Record<string, unknown> = {}, cluster = {}): unknown {
  return {
    clusters: [{ name: 'c', circuit_breakers: { thresholds: [{ max_retries: 1000 }] }, ...cluster }],
    endpoints: { c: [A, B, C] },
    behavior: [{ hosts: {}, error_rate: '100%' }],
    requests: [{ at: '0s', cluster: 'c', retry_policy: { retry_on: '5xx', num_retries: 3, ...policy } }],
    ...more,
  };
}

/** Host and priority of each attempt. */
async function attempts(value: unknown): Promise<readonly DecisionRecord[]> {
  const decisions: DecisionRecord[] = [];
  await run(value, { onDecision: (decision) => decisions.push(decision) });
  return decisions;
}

async function attemptCount(value: unknown): Promise<number> {
  return (await attempts(value)).length;
}

describe('retry host predicates', () => {
  const many = (predicate: unknown, endpoints: unknown): unknown => {
    const policy = { retry_host_predicate: [predicate], host_selection_retry_max_attempts: 50 };
    const requests = Array.from({ length: 50 }, () => ({
      at: '0s',
      cluster: 'c',
      retry_policy: { retry_on: '5xx', num_retries: 1, ...policy },
    }));
    return failing({}, { endpoints: { c: endpoints }, requests }, { lb_policy: 'RANDOM' });
  };
  const retried = async (value: unknown): Promise<ReadonlySet<string | null>> =>
    new Set((await attempts(value)).filter(({ attempt }) => attempt === 1).map(({ host }) => host));

  it('previous_hosts: never the same again', async () => {
    const value = failing(
      { retry_host_predicate: ['envoy.retry_host_predicates.previous_hosts'], host_selection_retry_max_attempts: 50 },
      {},
      { lb_policy: 'RANDOM' },
    );
    const hosts = (await attempts(value)).map(({ host }) => host);
    // The fourth attempt has no host left: the last one that was drawn is kept.
    expect(new Set(hosts.slice(0, 3)).size).toBe(3);
    expect(hosts).toHaveLength(4);
  });

  it('omit_canary_hosts: canaries get first attempts only', async () => {
    const endpoints = [{ address: A, metadata: { canary: true } }, B, C];
    const value = many('proxy.retry_host_predicates.omit_canary_hosts', endpoints);
    expect(await retried(value)).toEqual(new Set([B, C]));
    expect((await attempts(value)).some(({ host }) => host === A)).toBe(true);
  });

  it.each([
    ['by all that is asked for', { stage: 'old', gen: 1 }, [B, C]],
    ['by one of them, type and all', { gen: 1 }, [C]],
    ['by an element of a list', { tags: 'x' }, [A, B]],
    ['by what nobody has', { stage: 'none' }, [A, B, C]],
  ])('omit_host_metadata %s', async (_, metadata_match, left) => {
    const endpoints = [
      { address: A, metadata: { stage: 'old', gen: 1 } },
      { address: B, metadata: { stage: 'new', gen: 1 } },
      { address: C, metadata: { stage: 'old', gen: '1', tags: ['x', 'y'] } },
    ];
    const name = 'envoy.retry_host_predicates.omit_host_metadata';
    const whole = { filter_metadata: { 'envoy.lb': metadata_match } };
    const type = 'type.googleapis.com/envoy.config.retry.omit_host_metadata.v2.OmitHostMetadataConfig';
    const typed_config = { '@type': type, metadata_match: whole };
    expect(await retried(many({ name, config: { metadata_match } }, endpoints))).toEqual(new Set(left));
    expect(await retried(many({ name, typed_config }, endpoints))).toEqual(new Set(left));
  });

  it('that nobody knows is refused by its name', () => {
    const policy = { retry_host_predicate: ['proxy.retry_host_predicates.omit_canary_host'] };
    expect(() => scenarioOf(failing(policy))).toThrow(
      'proxy.retry_host_predicates.omit_canary_host is no retry host predicate (did you mean proxy.retry_host_predicates.omit_canary_hosts?)',
    );
  });
});

describe('retry_priority: previous_priorities', () => {
  const levels = (update_frequency: number, num_retries: number, more: Record<string, unknown> = {}): unknown => {
    const retry_priority = { name: 'envoy.retry_priorities.previous_priorities', config: { update_frequency } };
    const endpoints = [A, B, C].map((address, priority) => ({ address, priority }));
    return failing({ retry_priority, num_retries }, { endpoints: { c: endpoints }, ...more });
  };
  const priorities = async (value: unknown): Promise<readonly (number | null)[]> =>
    (await attempts(value)).map(({ priority }) => priority);

  it('leaves what was tried after every so many attempts', async () => {
    expect(await priorities(levels(1, 2))).toEqual([0, 1, 2]);
    expect(await priorities(levels(2, 4))).toEqual([0, 0, 1, 1, 2]);
    // In between the last load goes on to hold.
    expect(await priorities(levels(3, 4))).toEqual([0, 0, 0, 1, 1]);
  });

  it('begins anew when all have been tried', async () => {
    // All were tried: they count again, and what was counted of them is forgotten.
    expect(await priorities(levels(1, 5))).toEqual([0, 1, 2, 0, 1, 2]);
  });

  it('passes over priorities that nobody is available in', async () => {
    const timeline = [{ at: '0s', set_health: { hosts: B, status: 'UNHEALTHY' } }];
    expect(await priorities(levels(1, 2, { timeline }))).toEqual([0, 2, 0]);
  });

  it('spreads over the others by their health', async () => {
    const endpoints = [
      { address: A, priority: 0 },
      // 1 of 3 hosts: 46 % of the load, priority 2 the rest.
      { address: B, priority: 1 },
      { address: '10.0.1.1:80', count: 2, priority: 1, health: 'UNHEALTHY' },
      { address: C, priority: 2 },
    ];
    const retry_priority = { name: 'envoy.retry_priorities.previous_priorities', config: { update_frequency: 1 } };
    const workloads = [
      {
        cluster: 'c',
        arrivals: { constant: '100/s' },
        stop: '10s',
        retry_policy: { retry_on: '5xx', retry_priority, retry_back_off: { base_interval: '1ms' } },
      },
    ];
    const common_lb_config = { healthy_panic_threshold: { value: 0 } };
    const all = await attempts(
      failing({}, { endpoints: { c: endpoints }, requests: [], workloads }, { common_lb_config }),
    );
    const first = all.filter(({ attempt }) => attempt === 0);
    const second = all.filter(({ attempt }) => attempt === 1);
    expect(new Set(first.map(({ host }) => host))).toEqual(new Set([A]));
    const toB = second.filter(({ host }) => host === B).length;
    expect(second).toHaveLength(1000);
    expect(Math.abs(toB - 460)).toBeLessThan(5 * Math.sqrt(1000 * 0.46 * 0.54));
  });

  it('is not asked by balancers that hash', async () => {
    const value = levels(1, 2) as { clusters: [Record<string, unknown>] };
    value.clusters[0]['lb_policy'] = 'MAGLEV';
    expect(await priorities(value)).toEqual([0, 0, 0]);
  });
});

describe('retriable_request_headers', () => {
  const asked = (matcher: Record<string, unknown>, headers: Record<string, string>): unknown => {
    const retry_policy = { retry_on: '5xx', retriable_request_headers: [matcher] };
    return failing({}, { requests: [{ at: '0s', cluster: 'c', headers, retry_policy }] });
  };

  it.each([
    [{ name: 'X-Try' }, { 'x-try': '' }, true],
    [{ name: 'x-try' }, {}, false],
    [{ name: 'x-try', exact_match: 'yes' }, { 'X-Try': 'yes' }, true],
    [{ name: 'x-try', exact_match: 'yes' }, { 'x-try': 'no' }, false],
    [{ name: 'x-try', exact_match: 'yes', invert_match: true }, { 'x-try': 'no' }, true],
    [{ name: 'x-try', exact_match: 'yes', invert_match: true }, {}, false],
    [{ name: 'x-try', present_match: true, invert_match: true }, {}, true],
    [{ name: 'x-try', prefix_match: 'ye' }, { 'x-try': 'yes' }, true],
    [{ name: 'x-try', suffix_match: 'es' }, { 'x-try': 'yet' }, false],
    [{ name: 'x-try', range_match: { start: 1, end: 5 } }, { 'x-try': '4' }, true],
    [{ name: 'x-try', range_match: { start: 1, end: 5 } }, { 'x-try': '5' }, false],
    [{ name: 'x-try', range_match: { start: 1, end: 5 } }, { 'x-try': 'four' }, false],
    [{ name: 'x-try', safe_regex_match: { google_re2: {}, regex: 'y.*' } }, { 'x-try': 'yes' }, true],
    [{ name: 'x-try', regex_match: 'y' }, { 'x-try': 'yes' }, false],
  ])('%j of %j: %s', async (matcher, headers, retried) => {
    expect(await attemptCount(asked(matcher, headers as Record<string, string>))).toBe(retried ? 2 : 1);
  });

  it('present_match: false asks for absence since the v2 era', async () => {
    const value = asked({ name: 'x-try', present_match: false }, {}) as Record<string, unknown>;
    expect(await attemptCount(value)).toBe(1);
    expect(await attemptCount({ ...value, proxy: { version: '1.40' } })).toBe(2);
  });
});

describe('headers of error answers', () => {
  const answered = (
    retry_on: string,
    error_headers: Record<string, string>,
    more: Record<string, unknown> = {},
  ): unknown =>
    failing(
      { retry_on, retriable_headers: [{ name: 'X-Again', exact_match: 'please' }] },
      { behavior: [{ hosts: {}, error_rate: '100%', error_status: 404, error_headers, ...more }] },
    );

  it('are what retriable-headers looks at, whatever the status', async () => {
    expect(await attemptCount(answered('retriable-headers', { 'x-again': 'please' }))).toBe(4);
    expect(await attemptCount(answered('retriable-headers', { 'x-again': 'no' }))).toBe(1);
    expect(await attemptCount(answered('5xx', { 'x-again': 'please' }))).toBe(1);
    // Good answers have none.
    expect(await attemptCount(answered('retriable-headers', { 'x-again': 'please' }, { error_rate: '0%' }))).toBe(1);
  });

  it('may say that the client is rate limited: then only envoy-ratelimited retries', async () => {
    const limited = { 'X-Envoy-RateLimited': 'true' };
    expect(await attemptCount(answered('5xx', limited, { error_status: 503 }))).toBe(1);
    expect(await attemptCount(answered('envoy-ratelimited', limited, { error_status: 429 }))).toBe(4);
  });

  it('change with set_behavior', async () => {
    const timeline = [{ at: '0s', set_behavior: { hosts: {}, error_headers: { 'x-again': 'please' } } }];
    const value = answered('retriable-headers', {}) as Record<string, unknown>;
    expect(await attemptCount({ ...value, timeline })).toBe(4);
    const result = await run({ ...value, timeline });
    expect(clusterStats(result)).toMatchObject({ upstream_rq_retry: 3 });
    expect(result.events.map(({ text }) => text)).toContain('every host has x-again in its errors');
  });
});

describe('rate_limited_retry_back_off', () => {
  const waits = async (value: string, policy: object = {}): Promise<readonly number[]> => {
    const found = await attempts(
      failing(
        { rate_limited_retry_back_off: { reset_headers: [{ name: 'Retry-After' }], ...policy } },
        { behavior: [{ error_rate: '100%', error_headers: { 'retry-after': value } }] },
      ),
    );
    return found.slice(1).map(({ tUs }, index) => (tUs - (found[index]?.tUs ?? 0)) / 1e6);
  };

  it('waits as long as the answer says, and up to half as long again', async () => {
    const found = await waits('2');
    expect(found).toHaveLength(3);
    for (const wait of found) {
      expect(wait).toBeGreaterThanOrEqual(2);
      expect(wait).toBeLessThan(3);
    }
  });

  it.each([
    ['301', {}],
    ['2', { max_interval: '1s' }],
    ['soon', {}],
    ['-1', {}],
  ])('does not count where it says %j and %j is asked for', async (value, policy) => {
    for (const wait of await waits(value, policy)) expect(wait).toBeLessThan(0.25);
  });
});
