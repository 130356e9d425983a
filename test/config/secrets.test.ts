import { expect, it } from 'vitest';
import { loadScenario } from '../../src/scenario/load.js';

it('tells that a secret which balances nothing cannot be read, and no word of it', () => {
  const text = JSON.stringify({
    static_resources: {
      clusters: [{ name: 'a', type: 'STATIC' }],
      secrets: [
        { name: 's', generic_secret: { secret: { inline_string: 'hunter2', environment_variable: 'hunter3' } } },
      ],
    },
  });
  const { problems } = loadScenario([{ file: 'f.json', text }], { api: 'v3', lint: true });
  expect(problems.filter(({ rule }) => rule === 'secret')).toMatchObject([
    { severity: 'warning', path: 'static_resources.secrets[0].generic_secret.secret' },
  ]);
  expect(JSON.stringify(problems)).not.toContain('hunter');
});
