import { afterEach, expect, it } from 'vitest';
import type { Event } from './served.js';
import { dashboardSink, Served } from './served.js';

/**
 * What was done to a real proxy (1.40) with a dashboard sink, and the events that followed, flush by flush. Its times of
 * flushes are rounded to whole intervals, and those of requests to within the same interval.
 */

let served: Served;
afterEach(async () => {
  await served.close();
});

const cluster = (name: string, port: number, hosts: number, more: object = {}): object => ({
  name,
  type: 'STATIC',
  connect_timeout: '1s',
  load_assignment: {
    cluster_name: name,
    endpoints: [
      {
        lb_endpoints: Array.from({ length: hosts }, (_, index) => ({
          endpoint: { address: { socket_address: { address: '10.0.0.1', port_value: port + index } } },
        })),
      },
    ],
  },
  ...more,
});

interface Get {
  readonly at: number;
  readonly cluster?: string;
  readonly ms?: number;
  readonly status?: number;
  readonly more?: object;
}

const ms = (seconds: number): string => `${Math.round(seconds * 1000)}ms`;

/** Requests, and what makes their host answer otherwise than 200. */
function traffic(gets: readonly Get[]): object {
  return {
    requests: gets.map(({ at, cluster: name = 'up', ms: work = 0, more = {} }) => ({
      at: ms(at),
      cluster: name,
      service_time: `${work}ms`,
      ...more,
    })),
    timeline: gets.flatMap(({ at, cluster: name = 'up', status = 200 }) =>
      status === 200
        ? []
        : [
            {
              at: ms(at - 0.001),
              set_behavior: { hosts: { cluster: name }, error_rate: '100%', error_status: status },
            },
            { at: ms(at + 0.04), set_behavior: { hosts: { cluster: name }, error_rate: '0%' } },
          ],
    ),
  };
}

function counts(events: readonly Event[] = []): Readonly<Record<string, unknown>> {
  const fields = ['requestCount', 'rollingCountSuccess', 'rollingCountFailure', 'rollingCountTimeout'].concat(
    'rollingCountSemaphoreRejected',
    'errorPercentage',
    'reportingHosts',
  );
  const shown: Record<string, unknown> = {};
  for (const event of events) {
    if (event['type'] === 'HystrixCommand') shown[String(event['name'])] = fields.map((field) => event[field]);
  }
  return shown;
}

const proxy = (numBuckets: number, flush: string): object => ({
  proxies: [
    {
      name: 'edge',
      version: '1.40',
      stats_flush_interval: flush,
      stats_sinks: [dashboardSink(numBuckets)],
      workers: 1,
    },
  ],
});

it('ten buckets of 2 s: an event shows for ten flushes', async () => {
  const times = [1, 2, 47, 43, 0];
  served = await Served.start({
    ...proxy(10, '2s'),
    duration: '26.5s',
    clusters: [cluster('up', 8001, 2), cluster('co:lon|pi#pe', 9001, 1)],
    ...traffic([
      ...times.map((work, index) => ({ at: 2.4 + index / 20, ms: work })),
      { at: 2.75, status: 503 },
      { at: 2.85, status: 404, ms: 45 },
      { at: 2.95, ms: 54 },
      { at: 3, ms: 500, more: { timeout: '0.25s' } },
      ...[3.3, 3.35, 3.4].map((at) => ({ at, cluster: 'co:lon|pi#pe' })),
      ...Array.from({ length: 21 }, (_, index) => ({ at: 9.5 + index / 50 })),
    ]),
  });
  const watcher = await served.watch();
  const seen: unknown[] = [];
  for (let flush = 1; flush <= 13; flush++) {
    served.advance(2 * flush);
    const events = await watcher.flush();
    seen.push(counts(events));
    if (flush !== 2) continue;
    const up = events?.find(({ name, type }) => name === 'up' && type === 'HystrixCommand');
    expect(up?.['latencyExecute']).toEqual({
      '0': 0,
      '25': 0,
      '50': 2.05,
      '75': 45.5,
      '90': 54.5,
      '95': 54.5,
      '99': 54.5,
      '99.5': 54.5,
      '100': 54.5,
    });
    expect(up?.['currentTime']).toBe(1_700_000_004);
    expect(events?.find(({ name }) => name === 'co:lon|pi#pe')?.['latencyExecute']).toEqual({});
  }
  const before = { up: [0, 0, 0, 0, 0, 0, 2], 'co:lon|pi#pe': [0, 0, 0, 0, 0, 0, 1] };
  const first = { up: [9, 6, 2, 1, 0, 33, 2], 'co:lon|pi#pe': [3, 3, 0, 0, 0, 0, 1] };
  const both = { ...first, up: [30, 27, 2, 1, 0, 10, 2] };
  const last = { ...before, up: [21, 21, 0, 0, 0, 0, 2] };
  expect(seen).toEqual([before, first, first, first, both, both, both, both, both, both, both, last, last]);
});

it('three buckets of 1 s: retries, time-outs, a full queue, a dead host, a pause', async () => {
  const limits = {
    circuit_breakers: { thresholds: [{ max_connections: 1, max_pending_requests: 2, max_requests: 33 }] },
  };
  served = await Served.start({
    ...proxy(3, '1s'),
    duration: '19s',
    clusters: [
      cluster('up', 8001, 3, limits),
      cluster('dead', 8101, 1),
      cluster('dot.ted', 8201, 1),
      cluster('alted', 8301, 1, { alt_stat_name: 'other' }),
    ],
    behavior: [{ hosts: { cluster: 'dead' }, down: 'refuse' }],
    ...traffic([
      ...[0.1, 0.2, 0.3, 0.4, 2.6, 2.7].map((at) => ({ at })),
      { at: 3.5, status: 404 },
      { at: 3.6 },
      { at: 4.5, status: 503, more: { retry_policy: { retry_on: '5xx', num_retries: 1 } } },
      { at: 4.7, more: { retry_policy: { retry_on: '5xx', num_retries: 1 } } },
      {
        at: 5.2,
        ms: 500,
        more: { retry_policy: { retry_on: '5xx', num_retries: 1, per_try_timeout: '0.3s' } },
      },
      ...[0, 1, 2, 3, 4, 5].map((index) => ({ at: 7.4 + index / 1000, ms: 1500, more: { timeout: '2s' } })),
      { at: 9.5, cluster: 'dead' },
      ...[9.51, 9.52, 9.53].flatMap((at) => [
        { at, cluster: 'dot.ted' },
        { at, cluster: 'alted' },
      ]),
      ...[12.2, 12.3, 12.4].map((at) => ({ at })),
    ]),
  });
  served.advance(2.5);
  const watcher = await served.watch();
  const seen: unknown[] = [];
  for (let flush = 3; flush <= 12; flush++) {
    served.advance(flush);
    seen.push(counts(await watcher.flush()));
  }
  const idle = (hosts: number): readonly number[] => [0, 0, 0, 0, 0, 0, hosts];
  const quiet = { dead: idle(1), 'dot.ted': idle(1), alted: idle(1) };
  const busy = { dead: [1, 0, 1, 0, 0, 100, 1], 'dot.ted': [3, 3, 0, 0, 0, 0, 1], alted: [3, 3, 0, 0, 0, 0, 1] };
  expect(seen).toEqual([
    { ...quiet, up: idle(3) },
    { ...quiet, up: [2, 1, 1, 0, 0, 50, 3] },
    { ...quiet, up: [5, 2, 3, 0, 0, 60, 3] },
    { ...quiet, up: [8, 2, 4, 2, 0, 75, 3] },
    { ...quiet, up: [6, 1, 3, 2, 0, 83, 3] },
    { ...quiet, up: [5, 0, 2, 2, 1, 100, 3] },
    { ...quiet, up: [5, 3, 1, 0, 1, 40, 3] },
    { ...busy, up: [7, 3, 1, 2, 1, 57, 3] },
    { ...busy, up: [5, 3, 0, 2, 0, 40, 3] },
    { ...busy, up: [2, 0, 0, 2, 0, 100, 3] },
  ]);

  // Nobody watches for a while: what happens then never shows, not even while it would be in the window.
  watcher.close();
  while (served.admin.streams.watching(0) > 0) await new Promise(setImmediate);
  served.advance(14.25);
  const two = [await served.watch(), await served.watch()];
  for (let flush = 15; flush <= 17; flush++) {
    served.advance(flush);
    for (const each of two) expect(counts(await each.flush())).toEqual({ ...quiet, up: idle(3) });
  }
});
