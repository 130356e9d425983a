import { describe, expect, it } from 'vitest';
import { loadScenario } from '../../src/scenario/load.js';
import { documentWith, fieldPaths } from '../support/paths.js';

/** Every field that changes nothing in a run, with the least file that has it. */
const IDLE = fieldPaths(({ noEffect }) => noEffect === undefined).filter(({ marks }) => marks.noEffect !== undefined);

/** Fields that no valid file has, and what is wrong with one that has them. */
const NEVER_VALID: Readonly<Record<string, string>> = {
  'endpoint.LbEndpoint.endpoint_name': 'endpoint is required in endpoint.LbEndpoint',
};

describe('a field without effect says so, and why', () => {
  it.each(IDLE.map((path) => [path.id, path] as const))('%s', (id, path) => {
    const { problems } = loadScenario({ file: 'a.json', text: JSON.stringify(documentWith(path)) }, { api: 'v2' });
    const errors = problems.filter(({ severity }) => severity === 'error').map(({ message }) => message);
    expect(errors).toEqual([NEVER_VALID[id]].filter((message) => message !== undefined));
    const notes = problems.filter(({ rule }) => rule === 'no-effect').map(({ message }) => message);
    const name = id.slice(id.lastIndexOf('.') + 1);
    expect(notes).toContain(`${name} has no effect in the simulation: ${path.marks.noEffect ?? ''}`);
  });

  it('once for a file, however many entries have it', () => {
    const cluster = (name: string): string => `{name: ${name}, per_connection_buffer_limit_bytes: 1}`;
    const text = `clusters: [${cluster('a')}, ${cluster('b')}]\nendpoints: {a: [10.0.0.1:80], b: [10.0.0.2:80]}\n`;
    const { problems } = loadScenario({ file: 'a.yaml', text });
    expect(problems.map(({ rule, path }) => `${rule} ${path}`)).toEqual([
      'no-effect clusters[0].per_connection_buffer_limit_bytes',
    ]);
  });
});
