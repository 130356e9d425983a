import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cluster } from '../../src/config/cluster/cluster.js';
import { read } from '../config/reader/support.js';
import { dashboardSink, Served } from './served.js';

/**
 * Two proxies, a cluster whose hosts show what can be wrong with a host, and 100 requests: 40 to a dead host, retried
 * once, and 60 to a good one.
 */
const SCENARIO = {
  duration: '20s',
  proxies: [
    {
      name: 'edge',
      version: '1.40',
      node: { id: 'edge-1', locality: { region: 'eu', zone: 'a' } },
      stats_flush_interval: '1s',
      stats_sinks: [dashboardSink(0)],
      runtime: { 'circuit_breakers.good.default.max_retries': 7 },
    },
    { name: 'inner/edge', version: '1.40', workers: 2 },
  ],
  clusters: [
    {
      name: 'good',
      alt_stat_name: 'good:one',
      connect_timeout: '0.25s',
      circuit_breakers: { thresholds: [{ max_connections: 5 }] },
      outlier_detection: {},
    },
    { name: 'bad', lb_policy: 'RING_HASH' },
  ],
  endpoints: {
    good: [{ address: '10.0.0.1:80', weight: 3, locality: { region: 'eu', zone: 'b' }, metadata: { canary: true } }],
    bad: [
      '10.1.0.1:80',
      { address: '[2001:db8::1]:80', health: 'DRAINING' },
      { address: '10.1.0.3:80', health: 'TIMEOUT' },
      { address: '10.1.0.4:80', health: 'DEGRADED', priority: 1 },
    ],
  },
  behavior: [
    { hosts: { cluster: 'good' }, service_time: '20ms' },
    { hosts: { cluster: 'bad' }, down: 'refuse' },
  ],
  requests: [
    ...Array.from({ length: 60 }, (_, at) => ({ at: `${at * 100}ms`, cluster: 'good' })),
    ...Array.from({ length: 40 }, (_, at) => ({
      at: `${at * 100}ms`,
      cluster: 'bad',
      hash: '1',
      retry_policy: { retry_on: 'connect-failure', num_retries: 1 },
    })),
  ],
};

let served: Served;
beforeAll(async () => {
  served = await Served.start(SCENARIO);
  served.advance(10);
});
afterAll(() => served.close());

/** The lines of /clusters as `cluster::…` → value. */
async function facts(path: string): Promise<ReadonlyMap<string, string>> {
  const { text } = await served.get(path);
  return new Map(
    text.split('\n').map((line) => [line.slice(0, line.lastIndexOf('::')), line.split('::').at(-1) ?? '']),
  );
}

describe('/clusters', () => {
  it('has limits, counters and health of every host', async () => {
    const found = await facts('/clusters');
    expect(Object.fromEntries(found)).toMatchObject({
      'good::observability_name': 'good:one',
      'good::outlier::success_rate_average': '-1',
      'good::default_priority::max_connections': '5',
      'good::default_priority::max_pending_requests': '1024',
      'good::default_priority::max_retries': '7',
      'good::high_priority::max_retries': '3',
      'good::added_via_api': 'false',
      'good::10.0.0.1:80::cx_total': '1',
      'good::10.0.0.1:80::cx_active': '1',
      'good::10.0.0.1:80::rq_total': '60',
      'good::10.0.0.1:80::rq_success': '60',
      'good::10.0.0.1:80::rq_error': '0',
      'good::10.0.0.1:80::health_flags': 'healthy',
      'good::10.0.0.1:80::weight': '3',
      'good::10.0.0.1:80::zone': 'b',
      'good::10.0.0.1:80::canary': 'true',
      'good::10.0.0.1:80::success_rate': '-1',
      'bad::10.1.0.1:80::cx_connect_fail': '80',
      'bad::10.1.0.1:80::rq_error': '80',
      'bad::10.1.0.1:80::rq_total': '0',
      'bad::10.1.0.3:80::health_flags': '/failed_eds_health',
      'bad::10.1.0.4:80::health_flags': '/degraded_eds_health',
      'bad::10.1.0.4:80::priority': '1',
    });
    const { text } = await served.get('/clusters');
    expect(text).toContain('\nbad::[2001:db8::1]:80::health_flags::/eds_status_draining\n');
  });

  it('has the lines of the real page, in its order', async () => {
    const { text } = await served.get('/clusters?filter=^good$');
    const names = text
      .trim()
      .split('\n')
      .map((line) => line.replace('::10.0.0.1:80', '').split('::').slice(1, -1).join('::'));
    expect(names.slice(0, 5)).toEqual([
      'observability_name',
      'outlier::success_rate_average',
      'outlier::success_rate_ejection_threshold',
      'outlier::local_origin_success_rate_average',
      'outlier::local_origin_success_rate_ejection_threshold',
    ]);
    expect(names.slice(13)).toEqual(
      'added_via_api cx_active cx_connect_fail cx_total rq_active rq_error rq_pending_active rq_success rq_timeout rq_total hostname health_flags weight region zone sub_zone canary priority success_rate local_origin_success_rate'.split(
        ' ',
      ),
    );
  });

  it('is JSON for machines: 64-bit numbers as text, what is 0 left out', async () => {
    expect(await served.json('/clusters?format=json&filter=bad')).toMatchObject({
      cluster_statuses: [
        {
          name: 'bad',
          observability_name: 'bad',
          circuit_breakers: { thresholds: [{ max_connections: 1024 }, { priority: 'HIGH', max_retries: 3 }] },
          host_statuses: [
            {
              address: { socket_address: { address: '10.1.0.1', port_value: 80 } },
              stats: [
                { name: 'cx_connect_fail', value: '80' },
                { name: 'cx_total', value: '80' },
                { name: 'rq_error', value: '80' },
                { name: 'rq_success' },
                { name: 'rq_timeout' },
                { name: 'rq_total' },
                { type: 'GAUGE', name: 'cx_active' },
                { type: 'GAUGE', name: 'rq_active' },
                { type: 'GAUGE', name: 'rq_pending_active' },
              ],
              health_status: { eds_health_status: 'HEALTHY' },
              weight: 1,
              locality: {},
            },
            {
              address: { socket_address: { address: '2001:db8::1' } },
              health_status: { eds_health_status: 'DRAINING' },
            },
            { health_status: { eds_health_status: 'UNHEALTHY' } },
            { health_status: { eds_health_status: 'DEGRADED' }, priority: 1 },
          ],
        },
      ],
    });
  });
});

describe('/stats', () => {
  it('is text, sorted; histograms last, with quantiles of the last interval and of all time', async () => {
    const { text, headers } = await served.get('/stats?usedonly&filter=good_one.upstream_rq_(2|time|total)');
    expect(headers['content-type']).toBe('text/plain; charset=UTF-8');
    expect(text.replace(/ P25.*/, '')).toBe(
      'cluster.good_one.upstream_rq_200: 60\ncluster.good_one.upstream_rq_2xx: 60\n' +
        'cluster.good_one.upstream_rq_total: 60\ncluster.good_one.upstream_rq_time: P0(nan,20.016393442622952)\n',
    );
  });

  it('leaves out what was never used, where it is asked to', async () => {
    const all = (await served.get('/stats?filter=overflow')).text;
    expect(all).toContain('cluster.good_one.upstream_rq_pending_overflow: 0\n');
    expect((await served.get('/stats?filter=overflow&usedonly')).text).toBe('');
    expect((await served.get('/stats?filter=overflow&usedonly=false')).text).toBe(all);
  });

  it('is JSON in the shape of the real page', async () => {
    const page = (await served.json('/stats?format=json&usedonly&filter=good_one.upstream_rq_t')) as {
      stats: readonly Record<string, unknown>[];
    };
    expect(page.stats.slice(0, -1)).toEqual([{ name: 'cluster.good_one.upstream_rq_total', value: 60 }]);
    expect(page.stats.at(-1)).toMatchObject({
      histograms: {
        supported_quantiles: [0, 25, 50, 75, 90, 95, 99, 99.5, 99.9, 100],
        computed_quantiles: [{ name: 'cluster.good_one.upstream_rq_time' }],
      },
    });
  });

  it('is an exposition', async () => {
    const { text } = await served.get('/stats?format=prometheus&usedonly&filter=rq_total$');
    expect(text).toBe(
      '# TYPE proxy_cluster_upstream_rq_total counter\nproxy_cluster_upstream_rq_total{proxy_cluster_name="good_one"} 60\n',
    );
    expect((await served.get('/stats/prometheus?usedonly&filter=rq_total$')).text).toBe(text);
  });

  it('can be of one type', async () => {
    expect((await served.get('/stats?type=Gauges&filter=good_one.membership')).text).toBe(
      'cluster.good_one.membership_degraded: 0\ncluster.good_one.membership_excluded: 0\n' +
        'cluster.good_one.membership_healthy: 1\ncluster.good_one.membership_total: 1\n',
    );
    expect((await served.get('/stats?type=TextReadouts')).text).toBe('');
  });

  it.each([
    ['/stats?format=xml', 'format is one of text, json, prometheus, not xml'],
    ['/stats?type=Lists', 'type is one of All, Counters, Gauges, Histograms, TextReadouts, not Lists'],
    ['/stats?filter=(', 'the regular expression (: '],
    ['/stats?filter=((a{30}){30}){30}', 'invalid repetition size: {30}'],
    ['/stats?used_only', '/stats takes format, filter, usedonly, type, not used_only'],
    ['/clusters?format=xml', 'format is one of text, json, not xml'],
    ['/ready?x', '/ready takes no parameters, not x'],
    ['/ready?__proto__=', '/ready takes no parameters, not __proto__'],
    ['/stats?constructor=', '/stats takes format, filter, usedonly, type, not constructor'],
    ['/stats?__proto__=1', '/stats takes format, filter, usedonly, type, not __proto__'],
    ['/stats?hasOwnProperty', '/stats takes format, filter, usedonly, type, not hasOwnProperty'],
    ['/stats?filter=a&filter=b', 'filter is given twice'],
    ['/stats?format=json&format=json', 'format is given twice'],
    ['/stats?form%61t=x', 'format is one of text, json, prometheus, not x'],
    ['/stats?format=toString', 'format is one of text, json, prometheus, not toString'],
    ['/stats?type=constructor', 'type is one of All, Counters, Gauges, Histograms, TextReadouts, not constructor'],
  ])('%s is answered with 400 and the reason', async (path, reason) => {
    const { status, text } = await served.get(path);
    expect(status).toBe(400);
    expect(text).toContain(reason);
  });
});

describe('/config_dump', () => {
  interface Dump {
    readonly configs: readonly (Record<string, unknown> & { readonly '@type': string })[];
  }

  it('has the bootstrap and the clusters, which can be read again', async () => {
    const { configs } = (await served.json('/config_dump')) as Dump;
    expect(configs.map((config) => config['@type'].split('.').at(-1))).toEqual([
      'BootstrapConfigDump',
      'ClustersConfigDump',
    ]);
    expect(configs[0]?.['bootstrap']).toMatchObject({
      node: { id: 'edge-1', locality: { region: 'eu', zone: 'a' } },
      stats_flush_interval: '1s',
      stats_sinks: [
        {
          name: 'proxy.stat_sinks.dashboard',
          typed_config: { '@type': expect.stringMatching(/DashboardSink$/) as string },
        },
      ],
      layered_runtime: { layers: [{ static_layer: { 'circuit_breakers.good.default.max_retries': 7 } }] },
    });
    const statics = configs[1]?.['static_clusters'] as readonly { readonly cluster: Record<string, unknown> }[];
    expect(statics.map(({ cluster }) => cluster['name'])).toEqual(['bad', 'good']);
    for (const { cluster } of statics) {
      const { '@type': type, ...fields } = cluster;
      expect(type).toBe('type.googleapis.com/proxy.api.v2.Cluster');
      expect(read(Cluster, JSON.stringify(fields)).value).toEqual(
        served.simulation.proxies[0]?.clusters.find(({ name }) => name === fields['name'])?.world.settings.message,
      );
    }
  });

  it('has the hosts with their health of the moment, where they are asked for', async () => {
    const { configs } = (await served.json('/config_dump?include_eds')) as Dump;
    expect(configs[2]).toMatchObject({
      static_endpoint_configs: [
        {
          endpoint_config: {
            cluster_name: 'bad',
            endpoints: [
              {
                lb_endpoints: [
                  { health_status: 'HEALTHY' },
                  { health_status: 'UNHEALTHY' },
                  { health_status: 'UNHEALTHY' },
                ],
              },
              {
                lb_endpoints: [{ health_status: 'DEGRADED', load_balancing_weight: 1 }],
                priority: 1,
                load_balancing_weight: 0,
              },
            ],
            policy: { overprovisioning_factor: 140 },
          },
        },
        {
          endpoint_config: {
            cluster_name: 'good',
            endpoints: [
              {
                locality: { region: 'eu', zone: 'b' },
                lb_endpoints: [
                  {
                    endpoint: {
                      address: { socket_address: { address: '10.0.0.1', port_value: 80 } },
                      health_check_config: {},
                    },
                    metadata: { filter_metadata: { 'proxy.lb': { canary: true } } },
                    load_balancing_weight: 3,
                  },
                ],
              },
            ],
          },
        },
      ],
    });
  });
});

describe('the other pages', () => {
  it('/ready is LIVE', async () => {
    expect((await served.get('/ready')).text).toBe('LIVE\n');
  });

  it('/server_info tells version, virtual time and the state of the run', async () => {
    const info = await served.json('/server_info');
    expect(info).toMatchObject({
      version: 'lbsim-0.0.0/1.40.0/Clean/RELEASE/none',
      state: 'LIVE',
      uptime_current_epoch: expect.stringMatching(/^\d+s$/) as string,
      command_line_options: { concurrency: 1 },
      node: { id: 'edge-1' },
      lbsim: { scenario: 'served', proxy: 'edge', behaves_as: '1.40', run: 1, state: 'running' },
    });
  });

  it('/ links to every page of every proxy', async () => {
    const { text, headers } = await served.get('/');
    expect(headers['content-type']).toBe('text/html; charset=UTF-8');
    const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link);
    expect(links).toContain('/proxies/inner%2Fedge/stats');
    for (const link of links.filter((one) => !one.endsWith('event_stream'))) {
      expect({ link, status: (await served.get(link)).status }).toEqual({ link, status: 200 });
    }
  });

  it('an unknown page is answered with a list of those there are', async () => {
    for (const path of ['/nope', '/stats/', '/clusters/good', '/dashboard_event_stream/x']) {
      const { status, text } = await served.get(path);
      expect(status).toBe(404);
      expect(text).toContain('/config_dump: ');
    }
  });

  it('are about each proxy', async () => {
    expect(await served.json('/proxies/inner%2Fedge/server_info')).toMatchObject({
      lbsim: { proxy: 'inner/edge' },
      command_line_options: { concurrency: 2 },
    });
    expect((await served.get('/proxies/edge/clusters')).text).toBe((await served.get('/clusters')).text);
    const { status, text } = await served.get('/proxies/outer/clusters');
    expect({ status, text }).toEqual({ status: 404, text: 'there is no such proxy; there are edge, inner/edge\n' });
  });

  it('say nothing of other proxies where there is one, and name no more than twenty', async () => {
    for (const count of [1, 2, 50]) {
      const many = await Served.start({
        proxy: { count },
        clusters: [{ name: 'c' }],
        endpoints: { c: ['10.0.0.1:80'] },
      });
      const { status, text } = await many.get('/nope');
      const wrong = await many.get('/proxies/nope/stats');
      expect([status, wrong.status]).toEqual([404, 404]);
      expect(text.includes('/proxies/')).toBe(count > 1);
      const names = Array.from({ length: Math.min(count, 20) }, (_, index) => `proxy-${index + 1}`).join(', ');
      const there = count === 1 ? 'is proxy' : `are ${names}${count > 20 ? ' and 30 more' : ''}`;
      expect(wrong.text).toBe(`there is no such proxy; there ${there}\n`);
      await many.close();
    }
  });

  it('the stream of a proxy without a dashboard sink is 404, with the reason', async () => {
    const { status, text } = await served.get('/proxies/inner%2Fedge/dashboard_event_stream');
    expect(status).toBe(404);
    expect(text).toBe('proxy inner/edge has no dashboard sink: add proxy.stat_sinks.dashboard to its stats_sinks\n');
  });
});

/** The pages of a real proxy, where they are at hand. */
const recorded = new URL('../../../shared/fixtures/admin/', import.meta.url);

describe('a real proxy', () => {
  it.runIf(existsSync(recorded))('has the same fields in its JSON, where ours has them', async () => {
    const theirs = JSON.parse(readFileSync(new URL('clusters.json', recorded), 'utf8')) as unknown;
    const ours = await served.json('/clusters?format=json');
    expect([...paths(theirs)]).toEqual(expect.arrayContaining([...paths(ours)]));
    const dump = JSON.parse(readFileSync(new URL('config_dump.json', recorded), 'utf8')) as {
      configs: readonly object[];
    };
    const endpoints = (value: { configs: readonly object[] }): ReadonlySet<string> =>
      new Set(
        value.configs
          .filter((config) => '@type' in config && String(config['@type']).endsWith('EndpointsConfigDump'))
          .flatMap((config) => [...paths(config)]),
      );
    const mine = (await served.json('/config_dump?include_eds')) as { configs: readonly object[] };
    expect([...endpoints(dump)]).toEqual(
      expect.arrayContaining([...endpoints(mine)].filter((path) => !path.includes('filter_metadata'))),
    );
  });
});

/** Every path of fields in a JSON value, without indices. */
function paths(value: unknown, path = ''): Set<string> {
  if (Array.isArray(value)) return new Set(value.flatMap((item) => [...paths(item, path)]));
  if (typeof value !== 'object' || value === null) return new Set();
  return new Set(Object.entries(value).flatMap(([key, item]) => [`${path}/${key}`, ...paths(item, `${path}/${key}`)]));
}
