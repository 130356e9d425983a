import { expect, it } from 'vitest';
import { clusterStats, run } from '../support/run.js';

async function connections(options: object, at: readonly string[]) {
  const result = await run({
    api: 'v3',
    clusters: [{ name: 'c', common_http_protocol_options: options }],
    endpoints: { c: ['10.0.0.1:80'] },
    behavior: [{ hosts: {}, service_time: '300ms' }],
    requests: at.map((time) => ({ at: time, cluster: 'c' })),
    duration: '5s',
  });
  return clusterStats(result);
}

it('a connection closes once it was idle for idle_timeout, counted from its last answer', async () => {
  const stats = await connections({ idle_timeout: '1s' }, ['0s', '0.5s', '2.5s']);
  expect(stats).toMatchObject({ upstream_cx_total: 2, upstream_cx_active: 0, upstream_cx_idle_timeout: 2 });
  expect(stats).toMatchObject({ upstream_cx_destroy: 2, upstream_cx_destroy_local: 2 });
});

it('a connection older than max_connection_duration closes after its request', async () => {
  const stats = await connections({ max_connection_duration: '1s' }, ['0s', '0.9s', '1.5s']);
  expect(stats).toMatchObject({ upstream_cx_total: 2, upstream_cx_active: 0, upstream_cx_max_duration_reached: 2 });
  expect(stats).toMatchObject({ upstream_rq_200: 3, upstream_cx_destroy_with_active_rq: 0 });
});
