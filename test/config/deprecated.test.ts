import { describe, expect, it } from 'vitest';
import { loadScenario } from '../../src/scenario/load.js';
import { documentWith, fieldPaths } from '../support/paths.js';

/** Every deprecated field of every message that a file can have, with the least file that has it. */
const DEPRECATED = fieldPaths(() => true).filter(({ marks }) => (marks.deprecated ?? '') !== '');

describe('a deprecated field works, and what replaces it is said', () => {
  it.each(DEPRECATED.map((path) => [path.id, path] as const))('%s', (id, path) => {
    const { problems } = loadScenario({ file: 'a.json', text: JSON.stringify(documentWith(path)) });
    expect(problems.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual([]);
    const said = problems.filter(({ severity }) => severity === 'deprecation').map(({ message }) => message);
    const name = id.slice(id.lastIndexOf('.') + 1);
    expect(said).toContain(`${name} is deprecated: ${path.marks.deprecated ?? ''}`);
    expect(path.marks.deprecated).toMatch(/^(?:use|set|write) /);
  });

  it('such as the policy of ORIGINAL_DST clusters', () => {
    const text = 'name: a\ntype: ORIGINAL_DST\nlb_policy: ORIGINAL_DST_LB\n';
    expect(loadScenario({ file: 'a.yaml', text }).problems.map(({ severity, message }) => [severity, message])).toEqual(
      [['deprecation', 'ORIGINAL_DST_LB is deprecated: use CLUSTER_PROVIDED']],
    );
  });
});
