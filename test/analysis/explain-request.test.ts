import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExplainedRequest } from '../../src/words/results.js';
import { explainRequest } from '../../src/words/library.js';
import type { DecisionRecord } from '../../src/result/run-result.js';
import type { RequestRecord } from '../../src/result/request-record.js';
import type { Scenario } from '../../src/scenario/model.js';
import { loadScenario, loadScenarioValue } from '../../src/scenario/load.js';
import { createSimulation } from '../../src/analysis/run/run-scenario.js';

function scenarioOf(value: Record<string, unknown>): Scenario {
  const { scenario, problems } = loadScenarioValue(value, 'test');
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return scenario;
}

/** Two hosts of which the second is asked for first, and a request every 10 ms. */
function explained(more: Record<string, unknown>, request = 0): Promise<ExplainedRequest> {
  return explainRequest(
    scenarioOf({
      clusters: [{ name: 'c', connect_timeout: '0.5s', ...(more['cluster'] as object | undefined) }],
      endpoints: { c: more['hosts'] ?? ['10.0.0.1:80', '10.0.0.2:80'] },
      workloads: [
        { name: 'users', cluster: 'c', arrivals: { constant: '100/s' }, stop: '1s', ...(more['workload'] as object) },
      ],
      behavior: more['behavior'] ?? [],
      ...(more['timeline'] === undefined ? {} : { timeline: more['timeline'] }),
      seed: 1,
    }),
    request,
  );
}

/** "sent: it is sent to …", without what the balancer tells of itself. */
const way = ({ steps }: ExplainedRequest): string[] =>
  steps
    .filter(({ step }) => !['priority', 'panic', 'list', 'host', 'hash', 'table', 'candidate'].includes(step))
    .map(({ step, outcome }) => `${step}: ${outcome}`);

describe('a request that is answered', () => {
  it('is told from its route to its end', async () => {
    const found = await explained({ behavior: [{ hosts: {}, service_time: '20ms', network_latency: '2ms' }] }, 5);
    expect(found).toMatchObject({
      request: 5,
      arrived_s: 0.05,
      cluster: 'c',
      workload: 'users',
      status: 200,
      latency_ms: 22,
      attempts: 1,
    });
    expect(way(found)).toEqual([
      'route: a request of users at proxy, worker 0, goes to c (time-out 15 s, no retries)',
      expect.stringMatching(/^pool: a connection to 10\.0\.0\.\d:80 is free \(3 of at most 1,024 active requests\)$/),
      expect.stringMatching(/^sent: the request is sent to 10\.0\.0\.\d:80, which has 1 other request open$/),
      'service: the host begins after 1.00 ms, takes 20.0 ms and answers 200',
      'answer: the answer is 200, 22.0 ms after the request was sent',
      'end: the client gets 200 after 22.0 ms',
    ]);
    expect(found.steps.find(({ step }) => step === 'host')?.outcome).toContain(found.host);
  });

  it('waits in the queue of its host', async () => {
    const found = await explained({ behavior: [{ hosts: {}, service_time: '50ms', concurrency: 1 }] }, 4);
    expect(way(found)).toContain('queue: the only place of the host is taken: the request waits behind 1 other');
    expect(way(found).join()).toMatch(/service: the host begins after 60\.0 ms, takes 50\.0 ms/);
  });
});

describe('a request that is hedged', () => {
  it('tells the answer of its first attempt as that of the first, sent before the second', async () => {
    const workload = {
      retry_policy: {
        retry_on: '5xx',
        num_retries: 2,
        per_try_timeout: '40ms',
        retry_back_off: { base_interval: '1ms' },
      },
      hedge_policy: { hedge_on_per_try_timeout: true },
    };
    const found = await explained({ workload, behavior: [{ hosts: {}, service_time: '100ms' }] });
    const answer = found.steps.find(({ step }) => step === 'answer');
    expect(answer).toMatchObject({ attempt: 0, outcome: 'the answer is 200, 100.0 ms after the request was sent' });
    const retries = found.steps.filter(({ step }) => step === 'retry');
    expect(retries.map(({ attempt }) => attempt)).toEqual([0, 1]);
    expect(retries[0]?.outcome).toContain('comes beside this attempt after');
    expect(found).toMatchObject({ latency_ms: 100, attempts: 3 });
  });
});

describe('a request that fails', () => {
  const retries = {
    retry_policy: {
      retry_on: '5xx',
      num_retries: 2,
      retry_host_predicate: ['envoy.retry_host_predicates.previous_hosts'],
      host_selection_retry_max_attempts: 3,
    },
  };

  it('is retried elsewhere, as its predicate says', async () => {
    const behavior = [
      { hosts: {}, service_time: '1ms' },
      { hosts: '10.0.0.1', error_rate: '100%' },
    ];
    const requests = await Promise.all(
      [0, 1, 2, 3].map((request) =>
        explained({ behavior, workload: retries, cluster: { lb_policy: 'RANDOM' } }, request),
      ),
    );
    for (const found of requests) expect(found.status).toBe(200);
    const retried = requests.find(({ attempts }) => attempts === 2);
    const texts = retried === undefined ? [] : way(retried);
    expect(texts.join('\n')).toMatch(/retry: retry_on 5xx covers 503: retry 1 of 2 comes after [\d.]+ m?s, drawn from/);
    expect(texts.join('\n')).toMatch(/, guided by previous_hosts/);
    // The wish for a retry belongs to the attempt that failed.
    expect(retried?.steps.find(({ step }) => step === 'retry')?.attempt).toBe(0);
    expect(retried?.steps.filter(({ step }) => step === 'sent').map(({ attempt }) => attempt)).toEqual([0, 1]);
  });

  it('meets a host that the predicate rejects, and asks again', async () => {
    const behavior = [{ hosts: {}, error_rate: '100%' }];
    const many = { circuit_breakers: { thresholds: [{ max_retries: 100 }] } };
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, request) =>
        explained({ behavior, workload: retries, cluster: { lb_policy: 'RANDOM', ...many } }, request),
      ),
    );
    expect(all.flatMap(way).join('\n')).toMatch(
      /predicate: 10\.0\.0\.\d:80 is rejected by previous_hosts: the balancer is asked again, at most 3 times/,
    );
    for (const found of all) {
      const [retry, end] = way(found).slice(-2);
      expect(retry).toBe('retry: retry_on 5xx covers 503, but 2 retries are used up');
      expect(end).toMatch(/^end: the client gets 503 after \S+ ms$/);
    }
  });

  it('is not retried where the policy does not cover it, or the circuit breaker refuses', async () => {
    const behavior = [{ hosts: {}, error_rate: '100%', error_status: 404 }];
    expect(way(await explained({ behavior, workload: retries }))).toContain(
      'retry: retry_on 5xx does not cover 404: no retry',
    );
    const none = { circuit_breakers: { thresholds: [{ max_retries: 0 }] } };
    const failing = [{ hosts: {}, error_rate: '100%' }];
    expect(way(await explained({ behavior: failing, workload: retries, cluster: none }))).toContain(
      'retry: retry_on 5xx covers 503, but 0 retries are under way and max_retries is 0: refused',
    );
    const budget = { circuit_breakers: { thresholds: [{ retry_budget: { min_retry_concurrency: 0 } }] } };
    expect(way(await explained({ behavior: failing, workload: retries, cluster: budget })).join()).toContain(
      'the retry budget allows 0: refused',
    );
  });

  it('runs out of time, of a try and of its own', async () => {
    const behavior = [{ hosts: {}, service_time: '10s' }];
    const limited = { timeout: '1s', retry_policy: { retry_on: '5xx', num_retries: 1, per_try_timeout: '300ms' } };
    const tried = way(await explained({ behavior, workload: limited }));
    expect(tried.filter((text) => text.startsWith('failure'))).toEqual(
      Array.from({ length: 2 }, () => 'failure: per_try_timeout (300.0 ms) passes without an answer'),
    );
    const own = await explained({ behavior, workload: { timeout: '1s' } });
    expect(way(own).slice(-2)).toEqual([
      'time-out: the 1 s of the request are over, 1 s after it arrived',
      'end: the client gets 504 after 1 s: time ran out',
    ]);
    expect(own.host).toBeNull();
  });

  it('cannot connect, is turned away, finds nobody, or hangs', async () => {
    expect(way(await explained({ timeline: [{ at: '0s', fail: '10.0.0.0/8' }] })).join('\n')).toMatch(
      /failure: 10\.0\.0\.\d:80 refuses the connection that the request waited for\nend: the client gets 503 after .*: no connection could be made/,
    );
    const slow = [{ hosts: {}, connect_time: '1h' }];
    expect(way(await explained({ behavior: slow })).join()).toMatch(/was not made within connect_timeout/);
    const closed = { circuit_breakers: { thresholds: [{ max_pending_requests: 0 }] } };
    expect(way(await explained({ cluster: closed })).slice(1)).toEqual([
      'breaker: 0 requests wait already and max_pending_requests is 0: refused with 503',
      'end: the client gets 503 after 0 ms: a circuit breaker was open',
    ]);
    const full = { circuit_breakers: { thresholds: [{ max_requests: 0 }] } };
    expect(way(await explained({ cluster: full })).join()).toContain('max_requests is 0: refused');
    expect(way(await explained({ hosts: [] })).slice(1)).toEqual([
      'no host: the balancer finds no host: 503',
      'end: the client gets 503 after 0 ms: no host was found',
    ]);
    const hangs = await explained({ timeline: [{ at: '0s', set_behavior: { hosts: {}, down: 'hang' } }] });
    expect(way(hangs).join()).toContain('the host is down, and no answer will come');
  });
});

describe('of every shipped scenario', () => {
  const root = join(import.meta.dirname, '../../scenarios');
  // Those whose requests are few, or begin at once: the others take the same way.
  const files = readdirSync(root).filter((_, index) => index % 4 === 0);

  it.each(files)('%s: the story is that of the run', async (file) => {
    const { scenario } = loadScenario({ file, text: readFileSync(join(root, file), 'utf8') }, {});
    if (scenario === undefined) throw new Error(file);
    const number = 40;
    const decisions: DecisionRecord[] = [];
    let end: RequestRecord | undefined;
    const simulation = await createSimulation(
      { ...scenario, expect: [] },
      {
        onDecision: (record) => {
          if (record.request === number) decisions.push(record);
        },
        onRequest: (record) => {
          if (record.request === number) end = record;
        },
      },
    );
    while (end === undefined && !simulation.advance(10_000));
    if (decisions.length === 0 && end === undefined) {
      await expect(explainRequest(scenario, number)).rejects.toThrow('there is no request 40');
      return;
    }
    const story = await explainRequest(scenario, number);
    expect(story.status).toBe(end?.status ?? null);
    expect(story.latency_ms).toBe(end === undefined ? null : end.latencyUs / 1000);
    expect(story.host).toBe(end?.host ?? null);
    expect([story.proxy, story.worker, story.cluster]).toEqual([
      decisions[0]?.proxy,
      decisions[0]?.worker,
      decisions[0]?.cluster,
    ]);
    const told = story.steps.filter(({ step }) => ['pool', 'breaker', 'no host'].includes(step));
    expect(told.map(({ attempt }) => attempt)).toEqual(decisions.map(({ attempt }) => attempt));
  });
});
