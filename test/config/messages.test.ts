import { typeOfUrl } from '../../src/config/reader/any-value.js';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Bootstrap } from '../../src/config/bootstrap.js';
import { formerName } from '../../src/config/api/message-names.js';
import { messageNamed, messagesByName } from '../../src/config/messages.js';
import { ScenarioFile } from '../../src/scenario/scenario.js';
import { validateMessage } from '../../src/config/validate.js';
import { messagesBelow } from '../support/messages.js';

/** The reader would notice a wrong name only in a file that has the message. */
const named = [...messagesBelow([ScenarioFile, Bootstrap]).values()]
  .map(({ name, as, oneOfs, rules }) => {
    const fields = [...oneOfs.flatMap((group) => group.fields), ...rules.flatMap((rule) => rule.reads)];
    const names = [as('v2'), as('v3')].flatMap(({ shape }) => Object.keys(shape));
    const known = new Set([...names, ...names.map(formerName)]);
    return { name, fields, unknown: fields.filter((field) => !known.has(field)) };
  })
  .filter(({ fields }) => fields.length > 0);

test('groups and rules of every message are about fields that it has', () => {
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ unknown }) => unknown.length > 0)).toEqual([]);
});

test.each([
  [
    'config.core.v3.HealthCheck',
    '{timeout: 1s, interval: 1s, unhealthy_threshold: 1, healthy_threshold: 1}',
    ['one-of-none'],
  ],
  ['type.googleapis.com/envoy.config.core.v3.SocketAddress', '{address: x, port_value: 70000}', ['range']],
  ['envoy.extensions.load_balancing_policies.maglev.v3.Maglev', '{table_size: 7, tablesize: 8}', ['unknown-field']],
  ['envoy.api.v2.listener.FilterChainMatch', '{destination_port: 0}', ['range']],
])('%s can be checked by itself', (name, text, rules) => {
  const schema = messageNamed(name);
  if (schema === undefined) throw new Error(`${name} is not known`);
  expect(validateMessage(schema, text, 'f', undefined).map(({ rule }) => rule)).toEqual(rules);
});

/** Those that the schema document defines. */
const DOCUMENTED = `config.metrics.v2.StatsSink config.metrics.v2.StatsConfig config.metrics.v2.StatsMatcher
config.metrics.v2.TagSpecifier config.metrics.v2.StatsdSink config.metrics.v2.TaggedStatsdSink
config.metrics.v2.DashboardSink core.Locality core.BuildVersion core.Extension core.Node core.Metadata
core.RuntimeUInt32 core.RuntimeDouble core.RuntimeFeatureFlag core.RuntimeFractionalPercent core.HeaderValue
core.HeaderValueOption core.DataSource core.RetryPolicy core.RemoteDataSource core.AsyncDataSource core.TransportSocket
core.ControlPlane Cluster Cluster.TransportSocketMatch Cluster.CustomClusterType Cluster.EdsClusterConfig
Cluster.LbSubsetConfig Cluster.LbSubsetConfig.LbSubsetSelector Cluster.LeastRequestLbConfig Cluster.RingHashLbConfig
Cluster.OriginalDstLbConfig Cluster.CommonLbConfig Cluster.CommonLbConfig.ZoneAwareLbConfig
Cluster.CommonLbConfig.LocalityWeightedLbConfig Cluster.CommonLbConfig.ConsistentHashingLbConfig Cluster.RefreshRate
UpstreamBindConfig UpstreamConnectionOptions`.split(/\s+/);

test('every message of the schema document can be checked by itself, and has a page', () => {
  const known = messagesByName();
  expect(DOCUMENTED.filter((name) => !known.has(name))).toEqual([]);
  const pages = readdirSync(join(import.meta.dirname, '../../docs/reference')).filter((name) => name !== 'README.md');
  const described = [...known].filter(([, schema]) => schema.marks.message?.doc !== '').map(([name]) => `${name}.md`);
  expect(described.sort()).toEqual(pages.sort());
  for (const [name, schema] of known) {
    expect(schema.marks.message?.name).toBe(name);
    expect(typeOfUrl(`type.googleapis.com/envoy.api.v2.${name}`)).toBe(name);
  }
});
