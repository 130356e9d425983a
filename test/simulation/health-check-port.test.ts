import { expect, it } from 'vitest';
import { run } from '../support/run.js';

const A = '10.0.0.1';
const check = {
  timeout: '1s',
  interval: '1s',
  unhealthy_threshold: 1,
  healthy_threshold: 1,
  http_health_check: { path: '/' },
};
const socket = { address: { socket_address: { address: A, port_value: 80 } } };
const endpoint = { ...socket, health_check_config: { port_value: 9000 } };

/** Whether the host, whose checks go to port 9000, fails them. */
async function fails(behavior: readonly object[], timeline: readonly object[] = []): Promise<boolean> {
  const { stats } = await run({
    duration: '5s',
    clusters: [
      {
        name: 'c',
        type: 'STATIC',
        health_checks: [check],
        load_assignment: { cluster_name: 'c', endpoints: [{ lb_endpoints: [{ endpoint }] }] },
      },
    ],
    behavior,
    timeline,
    requests: [{ at: '0s', cluster: 'c' }],
  });
  return stats.gauges['cluster.c.membership_healthy'] === 0;
}

it('checks at another port are answered as the host is, unless behaviour of that address says otherwise', async () => {
  expect(await fails([{ hosts: `${A}:80`, down: 'refuse' }])).toBe(true);
  expect(
    await fails([
      { hosts: `${A}:80`, down: 'refuse' },
      { hosts: `${A}:9000`, health_check: 'ok' },
    ]),
  ).toBe(false);
  expect(await fails([{ hosts: `${A}:9000`, health_check: 503 }])).toBe(true);
});

it('so does the timeline', async () => {
  expect(await fails([], [{ at: '1s', set_behavior: { hosts: `${A}:9000`, down: 'refuse' } }])).toBe(true);
  expect(await fails([], [{ at: '1s', set_behavior: { hosts: `${A}:80`, down: 'refuse' } }])).toBe(true);
});
