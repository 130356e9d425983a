import { afterAll, expect, it } from 'vitest';
import { Folder } from './files.js';
import { lbsim } from './harness.js';

const folder = new Folder();
afterAll(() => folder.remove());

it('says what part went to unhealthy hosts in panic, and that these still answer', async () => {
  const file = folder.file('a.yaml', 'clusters: [{name: a}]\nendpoints: {a: [{address: 10.0.0.1:80, count: 4}]}\n');
  const { stdout } = await lbsim(['run', file, '--unhealthy', '10.0.0.2/31', '--unhealthy', '10.0.0.1']);
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    'a was in panic (threshold 50 %) from 0 to 10 s: 75.0 % of its requests then went to unhealthy hosts, which still answer here (--fail stops them).',
  );
});
