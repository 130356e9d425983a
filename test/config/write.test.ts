import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Cluster } from '../../src/config/cluster/cluster.js';
import { encode } from '../../src/config/write.js';
import { clusterJson, needsV3 } from '../../src/config/write-cluster.js';
import { loadScenario } from '../../src/scenario/load.js';
import { read as readAs } from './reader/support.js';
import { EVERYTHING } from './samples.js';

function read(text: string): Cluster {
  const { value, problems } = readAs(Cluster, text);
  if (value === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return value;
}

const REPORTED = { blackout_period: '2s', slow_start_config: { slow_start_window: '3s' } };
const HASHED = { hash_balance_factor: 120, hash_policy: [{ header: { header_name: 'x-key' } }] };

function policies(message: string, settings: object): object {
  const typed_config = {
    '@type': `type.googleapis.com/envoy.extensions.load_balancing_policies.${message}`,
    ...settings,
  };
  return { policies: [{ typed_extension_config: { name: 'policy', typed_config } }] };
}

describe('encode', () => {
  it('writes a cluster that sets nearly everything so that it is read as the same', () => {
    const cluster = read(EVERYTHING);
    const text = JSON.stringify(encode(Cluster, cluster));
    expect(read(text)).toEqual(cluster);
  });

  it('leaves out what has its default, and writes durations, 64-bit integers and bytes as protobuf does', () => {
    const yaml = `name: a
type: ORIGINAL_DST
lb_policy: CLUSTER_PROVIDED
connect_timeout: 0.25s
dns_refresh_rate: 5s
cleanup_interval: {seconds: 7}
max_requests_per_connection: 0
metadata: {filter_metadata: {x: {version: "1.0", list: [1, null]}}}
upstream_bind_config:
  source_address: {address: 10.0.0.1, port_value: 0}
  socket_options: [{level: 9007199254740993, buf_value: AP8}]`;
    expect(encode(Cluster, read(yaml))).toEqual({
      name: 'a',
      type: 'ORIGINAL_DST',
      lb_policy: 'CLUSTER_PROVIDED',
      connect_timeout: '0.250s',
      cleanup_interval: '7s',
      max_requests_per_connection: 0,
      metadata: { filter_metadata: { x: { version: '1.0', list: [1, null] } } },
      upstream_bind_config: {
        source_address: { address: '10.0.0.1', port_value: 0 },
        socket_options: [{ level: '9007199254740993', buf_value: 'AP8=' }],
      },
    });
  });

  it.each(readdirSync(new URL('../../scenarios', import.meta.url)))('gives back every cluster of %s', (file) => {
    const text = readFileSync(new URL(`../../scenarios/${file}`, import.meta.url), 'utf8');
    for (const cluster of loadScenario({ file, text }).scenario?.clusters ?? []) {
      const written = JSON.stringify({ clusters: [clusterJson(cluster)] });
      expect(loadScenario({ file: 'a.json', text: written }).scenario?.clusters).toEqual([cluster]);
    }
  });

  it.each([
    '{policy: PREQUAL, settings: {pool_size: 8, max_age: 250ms, rif_quantile: 0.5}}',
    '{policy: PEAK_EWMA, settings: {decay_time: 2s}, subsetting: {method: aperture, size: 3}}',
    'POWER_OF_D',
  ])('gives back the settings of lb_policy: %s', (policy) => {
    const read = (text: string) => loadScenario({ file: 'a.yaml', text }).scenario?.clusters;
    const clusters = read(`clusters: [{name: web, lb_policy: ${policy}}]`);
    expect(clusters).toHaveLength(1);
    expect(read(JSON.stringify({ clusters: clusters?.map((cluster) => clusterJson(cluster)) }))).toEqual(clusters);
  });

  it.each([
    ['ring_hash.v3.RingHash', { minimum_ring_size: 7, consistent_hashing_lb_config: { hash_balance_factor: 150 } }],
    ['maglev.v3.Maglev', { locality_weighted_lb_config: {}, consistent_hashing_lb_config: HASHED }],
    ['round_robin.v3.RoundRobin', { slow_start_config: { slow_start_window: '3s' } }],
    ['client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin', REPORTED],
    [
      'wrr_locality.v3.WrrLocality',
      {
        endpoint_picking_policy: policies('client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin', REPORTED),
      },
    ],
    [
      'load_aware_locality.v3.LoadAwareLocality',
      { remote_probe_fraction: 0.1, endpoint_picking_policy: policies('maglev.v3.Maglev', {}) },
    ],
    [
      'override_host.v3.OverrideHost',
      {
        override_host_sources: [{ header: 'x-host' }],
        fallback_policy: policies('subset.v3.Subset', {
          fallback_policy: 'ANY_ENDPOINT',
          subset_lb_policy: policies('ring_hash.v3.RingHash', { hash_balance_factor: 120 }),
        }),
      },
    ],
    [
      'subset.v3.Subset',
      {
        fallback_policy: 'ANY_ENDPOINT',
        subset_lb_policy: policies('client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin', REPORTED),
      },
    ],
  ])('gives back a cluster of v3 with %s', (policy, settings) => {
    const options = {
      'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': {
        '@type': 'type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions',
        common_http_protocol_options: { idle_timeout: '5s', max_requests_per_connection: 3 },
        explicit_http_config: { http2_protocol_options: { max_concurrent_streams: 10 } },
      },
    };
    const health_checks = [
      { timeout: '0.1s', interval: '1s', unhealthy_threshold: 1, healthy_threshold: 1, tcp_health_check: {} },
    ];
    const beside = { connect_timeout: '1s', health_checks, typed_extension_protocol_options: options };
    const eds_config = { path_config_source: { path: '/a.json' }, resource_api_version: 'V3' };
    const cluster = { name: 'a', type: 'EDS', eds_cluster_config: { eds_config }, ...beside };
    const text = JSON.stringify({
      api: 'v3',
      clusters: [{ ...cluster, load_balancing_policy: policies(policy, settings) }],
    });
    const [read] = loadScenario({ file: 'a.json', text }).scenario?.clusters ?? [];
    expect(read).toBeDefined();
    if (read === undefined) return;
    const written = JSON.stringify({ api: 'v3', clusters: [clusterJson(read, 'v3')] });
    const again = loadScenario({ file: 'a.json', text: written });
    expect(again.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(again.scenario?.clusters).toEqual([read]);
  });

  it.each([
    ['lb_policy: RANDOM', false],
    ['dns_lookup_family: V4_PREFERRED', true],
    ['eds_cluster_config: {eds_config: {ads: {}, resource_api_version: V3}}, type: EDS', true],
  ])('knows what v3 alone can say: %s', (fields, modern) => {
    const text = `api: v3\nclusters: [{name: a, ${fields}}]`;
    expect(loadScenario({ file: 'a.yaml', text }).scenario?.clusters.map(needsV3)).toEqual([modern]);
  });
});
