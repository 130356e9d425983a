import { afterAll, expect, it, vi } from 'vitest';
import { Folder, SMALL } from './files.js';

vi.mock('node:v8', async (original) => ({
  ...(await original<object>()),
  getHeapStatistics: () => ({ used_heap_size: 99, heap_size_limit: 100 }),
  setFlagsFromString: () => undefined,
}));
vi.mock('node:vm', () => ({ runInNewContext: () => () => undefined }));

const folder = new Folder();
afterAll(() => {
  folder.remove();
  vi.resetModules();
});

it('of several runs in this process is looked at, as that of one is', async () => {
  // Other files have loaded it with the heap as it is.
  vi.resetModules();
  const { lbsim } = await import('./harness.js');
  const file = folder.file('small.yaml', SMALL);
  const { code, stderr } = await lbsim(['run', file, '--replications', '2', '--jobs', '1']);
  expect(stderr).toContain('There is not enough memory for this');
  expect(code).toBe(2);
});
