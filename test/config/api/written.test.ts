import { afterAll, describe, expect, it, vi } from 'vitest';
import { apiOf } from '../../../src/config/api/api.js';
import { messageNamed, messagesByName } from '../../../src/config/messages.js';
import { apiSchema } from '../../../src/config/reader/api-schema.js';
import { message, optional, plain } from '../../../src/config/reader.js';
import { bool, uint32Value } from '../../../src/config/reader/proto.js';
import { validateMessage } from '../../../src/config/validate.js';
import '../../../src/config/policy/read.js';

// Messages that are wrong on purpose are known to these modules from then on: other files get new ones.
afterAll(() => {
  vi.resetModules();
});

/** What is written of a message must be what the tables say: a wrong type would be found only by a file that has it. */

describe.each(['v2', 'v3'] as const)('%s', (version) => {
  it('has a schema of each message, whatever is written of it', () => {
    expect(messagesByName().size).toBeGreaterThan(200);
    const failures = apiOf(version).names.flatMap((name) => {
      try {
        const info = apiSchema(name, version)?.marks.message?.as(version);
        return info === undefined || Object.values(info.shape).includes(undefined as never) ? [name] : [];
      } catch (error) {
        return [`${name}: ${String(error)}`];
      }
    });
    expect(failures).toEqual([]);
  });
});

describe('a message that is written otherwise than the table has it', () => {
  it.each([
    [
      'another type',
      { consecutive_5xx: optional(bool()) },
      /consecutive_5xx is UInt32Value in the table, and is written as bool/,
    ],
    ['another label', { interval: plain(uint32Value()) }, /interval is Duration/],
    ['a field of neither table', { bogus: optional(bool()) }, /has no field bogus/],
  ])('with %s is a mistake of the code', (_, shape, text) => {
    const wrong = message('cluster.OutlierDetection', () => shape as never);
    expect(() => wrong.marks.message?.as('v3').shape).toThrow(text);
  });
});

describe('a name of v3 that v2 does not have', () => {
  const source = 'config.core.v3.ApiConfigSource';
  it.each([
    [source, '{grpc_services: []}', 'REST_LEGACY no longer a supported'],
    [source, '{api_type: AGGREGATED_GRPC}', 'Unsupported config source AGGREGATED_GRPC'],
    ['config.cluster.v3.Cluster', '{name: a, lb_policy: LOAD_BALANCING_POLICY_CONFIG}', 'expected one of ROUND_ROBIN'],
  ])('%s %s', (name, text, expected) => {
    const schema = messageNamed(name);
    if (schema === undefined) throw new Error(`${name} is not known`);
    const errors = validateMessage(schema, text, 'f', undefined).filter(({ severity }) => severity === 'error');
    expect(errors.map(({ message: said }) => said.slice(0, expected.length))).toEqual([expected]);
  });
});
