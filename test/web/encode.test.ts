import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Cluster } from '../../src/config/cluster.js';
import { encode } from '../../src/web/encode.js';
import { clusterJson } from '../../src/web/pages/config-dump.js';
import { loadScenario } from '../../src/scenario/load.js';
import { read as readAs } from '../config/reader/support.js';
import { EVERYTHING } from '../config/samples.js';

function read(text: string): Cluster {
  const { value, problems } = readAs(Cluster, text);
  if (value === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return value;
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
    expect(read(JSON.stringify({ clusters: clusters?.map(clusterJson) }))).toEqual(clusters);
  });
});
