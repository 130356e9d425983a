import { once } from 'node:events';
import { Agent, createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Observation } from '../../src/analysis/observe/observe.js';
import type { Struct } from '../../src/core/values.js';
import { send } from '../../src/real-proxy/both-sides.js';
import { findProxy } from '../../src/real-proxy/guarded-process.js';
import { ProxyProcess } from '../../src/real-proxy/proxy-process.js';
import { Folder } from './files.js';
import { type Call, type CallOptions, lbsim } from './harness.js';

const folder = new Folder();
afterAll(() => folder.remove());

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serverOf(answer: RequestListener): Promise<number> {
  const server = createServer(answer);
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

function observeLive(config: string, port: number | string, more: readonly string[], options?: CallOptions) {
  const address = `http://127.0.0.1:${port}`;
  return lbsim(['observe', config, '--live', address, '--every', '100ms', '--json', ...more], options);
}

const found = ({ stdout }: Call): Observation => JSON.parse(stdout) as Observation;

describe('a page that counts', () => {
  const config = folder.file(
    'two.yaml',
    'clusters: [{name: web, lb_policy: RANDOM}]\nendpoints: {web: [10.0.0.1:80, 10.0.0.2:80]}\n' +
      'workloads: [{cluster: web, arrivals: 100/s, stop: 1s}]\n',
  );

  /** What the two hosts have got at each look, the last from then on. */
  async function proxyWith(counts: readonly (readonly [number, number])[]) {
    const asked: string[] = [];
    const port = await serverOf((request, response) => {
      const { method = '', url = '' } = request;
      asked.push(`${method} ${url}`);
      const looks = asked.filter((one) => one.includes('/clusters')).length;
      const own = counts[Math.min(looks - 1, counts.length - 1)] ?? [];
      const text = own.map((count, host) => `web::10.0.0.${host + 1}:80::rq_total::${count}\n`).join('');
      const pages = {
        '/server_info': '{"uptime_current_epoch": "9s", "concurrency": 2}',
        '/stats?filter=lb_|upstream_rq_retry': `cluster.web.lb_healthy_panic: ${looks}\n`,
      };
      response.end(new Map(Object.entries(pages)).get(url) ?? text);
    });
    return { port, asked };
  }

  it('is looked at until it tells that something is off, by GET alone', async () => {
    const { port, asked } = await proxyWith([[7, 9], [57, 59], [407, 109], [907, 209], [9000, 9000]]); // prettier-ignore
    const call = await observeLive(config, port, []);
    expect(call).toMatchObject({ code: 1, stderr: '' });
    expect(found(call).clusters['web']?.parts.map(({ requests }) => requests)).toEqual([900, 200]);
    const events = 'GET /stats?filter=lb_|upstream_rq_retry';
    const looks = Array<string>(4).fill('GET /clusters?format=json');
    expect(asked).toEqual(['GET /server_info', events, ...looks, events]);
  });

  it('ends with as many requests as were asked for', async () => {
    const { port } = await proxyWith([[0, 0], [300, 310], [900, 890], [9000, 9000]]); // prettier-ignore
    const call = await observeLive(config, port, ['--until', '1500-requests']);
    expect([call.code, found(call).clusters['web']?.requests]).toEqual([0, 1790]);
  });

  it('that falls is of a proxy that began anew: what came before counts', async () => {
    const { port } = await proxyWith([[1000, 1000], [1300, 1310], [20, 20]]); // prettier-ignore
    const call = await observeLive(config, port, []);
    expect([call.stderr, found(call).clusters['web']?.requests]).toEqual([
      expect.stringContaining('the proxy began anew'),
      610,
    ]);
  });

  it('is left by Ctrl-C, with what has been seen', async () => {
    const { port, asked } = await proxyWith([[0, 0], [300, 310]]); // prettier-ignore
    const second = (async (): Promise<void> => {
      while (asked.length < 5) await new Promise(setImmediate);
    })();
    const call = await observeLive(config, port, [], { interrupt: second });
    expect([call.code, found(call).clusters['web']?.requests]).toEqual([0, 610]);
  });

  it.each([
    ['nobody answers', undefined, 'refuses connections'],
    ['it is of another kind', 'Hello', 'this is no page of a proxy'],
  ])('is asked for in vain where %s', async (_, text, words) => {
    const port = await serverOf((_, response) => void response.end(text));
    if (text === undefined) await new Promise((resolve) => servers.pop()?.close(resolve));
    const { code, stderr } = await observeLive(config, port, []);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });

  it.each([
    [['--live', '127.0.0.1:9901'], 'It is an address, as http://localhost:9901.'],
    [['--live', 'http://127.0.0.1:9901', folder.file('counts.csv', '10.0.0.1:80 9')], 'leave'],
    [['--until', '5000-requests'], '--until is about looking at a proxy: add --live URL'],
    [['--live', 'http://127.0.0.1:9901', '--until', 'noon'], 'It is a number of requests'],
  ])('is not asked for with %j', async (more, words) => {
    const { code, stderr } = await lbsim(['observe', config, ...more]);
    expect([code, stderr.replace(/\s+/g, ' ')]).toEqual([2, expect.stringContaining(words)]);
  });
});

const proxy = await findProxy(undefined, process.env).catch(() => undefined);

describe.runIf(proxy)('a real proxy', () => {
  const HOSTS = 4;
  /** Requests that a slow host leaves open. */
  const LANES = 8;

  function clusterOf(ports: readonly number[], policy: string, change: Struct = {}): Struct {
    const hosts = ports.map((port, index) => ({
      endpoint: { address: { socket_address: { address: '127.0.0.1', port_value: port } } },
      ...(index === 1 && change),
    }));
    const endpoints = [{ lb_endpoints: hosts }];
    return { name: 'web', type: 'STATIC', lb_policy: policy, load_assignment: { cluster_name: 'web', endpoints } };
  }

  function bootstrapOf(cluster: Struct): Struct {
    const manager = {
      '@type': 'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager',
      stat_prefix: 'in',
      route_config: {
        virtual_hosts: [
          { name: 'all', domains: ['*'], routes: [{ match: { prefix: '/' }, route: { cluster: 'web' } }] },
        ],
      },
      http_filters: [
        {
          name: 'envoy.filters.http.router',
          typed_config: { '@type': 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router' },
        },
      ],
    };
    const filters = [{ name: 'envoy.filters.network.http_connection_manager', typed_config: manager }];
    const address = { socket_address: { address: '127.0.0.1', port_value: 0 } };
    const listeners = [{ name: 'traffic', address, filter_chains: [{ filters }] }];
    return { admin: { address }, static_resources: { listeners, clusters: [cluster] } };
  }

  it.each([
    ['as configured', 'ROUND_ROBIN', {}, 'as_expected'],
    ['as configured, drawn', 'RANDOM', {}, 'as_expected'],
    ['a host that is slow', 'LEAST_REQUEST', {}, 'fewer'],
    ['a host that is unhealthy', 'ROUND_ROBIN', { health_status: 'UNHEALTHY' }, 'fewer'],
    ['a weight that changed', 'ROUND_ROBIN', { load_balancing_weight: 3 }, 'more'],
  ] as const)('%s (%s) is told within 5,000 requests', async (name, policy, change, verdict) => {
    // The slow one answers when nobody else is left to.
    const open: ServerResponse[] = [];
    const answer = (index: number): RequestListener => {
      return (_, response) => {
        if (index === 1 && name.endsWith('slow')) open.push(response);
        else response.end();
        if (open.length >= LANES / 2) open.shift()?.end();
      };
    };
    const ports = await Promise.all(Array.from({ length: HOSTS }, (_, index) => serverOf(answer(index))));
    const real = await ProxyProcess.start(proxy?.file ?? '', bootstrapOf(clusterOf(ports, policy, change)), 2);
    try {
      const config = folder.file('configured.json', JSON.stringify(clusterOf(ports, policy)));
      const watched = observeLive(config, real.admin.replace('127.0.0.1:', ''), ['--until', '4500-requests']);
      let isOver = false;
      const lanes = Array.from({ length: LANES }, async () => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        while (!isOver) await send(real.url, {}, { agent });
        agent.destroy();
      });
      const call = await watched;
      isOver = true;
      for (const response of open) response.end();
      await Promise.all(lanes);
      const cluster = found(call).clusters['web'];
      expect([call.stderr, call.code]).toEqual(['', verdict === 'as_expected' ? 0 : 1]);
      expect(cluster?.parts.find((part) => part.name.endsWith(`:${ports[1]}`))?.verdict).toBe(verdict);
      if (verdict !== 'as_expected') expect(cluster?.requests).toBeLessThan(5000);
    } finally {
      await real.stop();
    }
  });
});
