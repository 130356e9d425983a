import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { readMessages } from '../../../scripts/message-types.mjs';
import { apiOf } from '../../../src/config/api/api.js';
import { messageNamed, messagesByName } from '../../../src/config/messages.js';
import { apiSchema } from '../../../src/config/reader/api-schema.js';
import { validateMessage } from '../../../src/config/validate.js';
import '../../../src/config/policy/read.js';

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

test('a field that neither table has is a mistake of the list of those that are read', () => {
  const [v2 = '', v3 = ''] = ['v2', 'v3'].map((name) => readFileSync(`src/config/api/${name}.txt`, 'utf8'));
  expect(() => readMessages({ 'core.Locality': ['region bogus'] }, v2, v3)).toThrow('core.Locality has no field bogus');
});

describe('a name of v3 that v2 does not have', () => {
  const source = 'config.core.v3.ApiConfigSource';
  it.each([
    [source, '{grpc_services: []}', 'REST_LEGACY no longer a supported'],
    [source, '{api_type: AGGREGATED_GRPC}', 'Unsupported config source AGGREGATED_GRPC'],
    [
      'config.cluster.v3.Cluster',
      '{name: a, lb_policy: LOAD_BALANCING_POLICY_CONFIG}',
      'lb_policy: LOAD_BALANCING_POLICY',
    ],
  ])('%s %s', (name, text, expected) => {
    const schema = messageNamed(name);
    if (schema === undefined) throw new Error(`${name} is not known`);
    const errors = validateMessage(schema, text, 'f', undefined).filter(({ severity }) => severity === 'error');
    expect(errors.map(({ message: said }) => said.slice(0, expected.length))).toEqual([expected]);
  });
});
