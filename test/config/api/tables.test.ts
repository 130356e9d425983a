import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ApiVersion } from '../../../src/config/api/api.js';
import { apiOf } from '../../../src/config/api/api.js';
import { displayName, tableName } from '../../../src/config/api/message-names.js';
import { tableOf } from '../../../src/config/api/table-text.js';
import { limitsOf } from '../../../src/config/reader/limits.js';
import { tellingFieldsText, v3Text } from '../../../scripts/api-tables.mjs';

/** Formats of others: what is in them is taken as it is. */
const FOREIGN = /^(?:google|opencensus|opentelemetry|cel|service)\./;

describe('the table of the v3 API', () => {
  it('is what the definitions of the package, newer.txt and words.txt give', () => {
    expect(tableOf('v3')).toBe(v3Text());
  });
});

describe('the fields that tell a kind of file', () => {
  it('are those of the tables', () => {
    const file = join(import.meta.dirname, '../../../src/config/api/telling-fields.txt');
    expect(readFileSync(file, 'utf8')).toBe(tellingFieldsText(apiOf('v2'), apiOf('v3')));
  });
});

describe.each<ApiVersion>(['v2', 'v3'])('%s', (version) => {
  const api = apiOf(version);
  const fields = api.names.flatMap((name) => (api.message(name)?.fields ?? []).map((field) => ({ name, field })));

  it('has every type that its fields refer to', () => {
    const missing = fields.filter(({ field: { kind, type } }) => {
      if (FOREIGN.test(type)) return false;
      return kind === 'message' ? !api.has(type) : kind === 'enum' && api.enumOf(type) === undefined;
    });
    expect(missing.map(({ name, field }) => `${name}.${field.name} ${field.type}`)).toEqual([]);
  });

  it('has no limit that is not understood', () => {
    const known = new Set(['defined', 'or-empty', 'each:defined']);
    const unread = fields.filter(({ field }) => {
      const limits = (['', 'each:', 'keys:'] as const).map((of) => limitsOf(field, of));
      const read = limits.flatMap(({ bounds, others }) => [...Object.keys(bounds), ...others]).length;
      return read !== field.limits.filter((word) => !known.has(word)).length;
    });
    expect(unread.map(({ name, field }) => `${name}.${field.name} ${field.limits.join(' ')}`)).toEqual([]);
  });
});

describe('names', () => {
  it.each([
    ['Cluster.RingHashLbConfig', 'api.v2.Cluster.RingHashLbConfig', 'config.cluster.v3.Cluster.RingHashLbConfig'],
    ['config.metrics.v2.TaggedStatsdSink', 'config.metrics.v2.DogStatsdSink', 'config.metrics.v3.DogStatsdSink'],
    ['Cluster.MaglevLbConfig', 'api.v2.Cluster.MaglevLbConfig', 'config.cluster.v3.Cluster.MaglevLbConfig'],
  ])('%s', (ours, v2, v3) => {
    expect(tableName(ours, 'v2')).toBe(v2);
    expect(tableName(ours, 'v3')).toBe(v3);
    expect(displayName(v2)).toBe(ours);
  });
});

describe('a message', () => {
  it('has the types, marks and limits of its fields', () => {
    expect(apiOf('v3').message('config.cluster.v3.Cluster.RingHashLbConfig')).toMatchObject({
      fields: [
        { name: 'minimum_ring_size', kind: 'well-known', type: 'UInt64Value', limits: ['<=8388608'] },
        { name: 'hash_function', kind: 'enum', limits: ['defined'] },
        { name: 'maximum_ring_size', kind: 'well-known', type: 'UInt64Value', limits: ['<=8388608'] },
      ],
    });
    expect(apiOf('v3').enumOf('config.cluster.v3.Cluster.RingHashLbConfig.HashFunction')?.values).toEqual([
      { name: 'XX_HASH', number: 0, deprecated: false },
      { name: 'MURMUR_HASH_2', number: 1, deprecated: false },
    ]);
  });
});
