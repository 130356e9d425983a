import { syncBuiltinESMExports } from 'node:module';
import v8 from 'node:v8';
import vm from 'node:vm';
import { afterAll, expect, it, vi } from 'vitest';
import { Folder, SMALL } from './files.js';
import { lbsim } from './harness.js';

const folder = new Folder();
afterAll(() => {
  folder.remove();
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

it('of several runs in this process is looked at, as that of one is', async () => {
  const heap = { ...v8.getHeapStatistics(), used_heap_size: 99, heap_size_limit: 100 };
  vi.spyOn(v8, 'getHeapStatistics').mockReturnValue(heap);
  vi.spyOn(v8, 'setFlagsFromString').mockReturnValue(undefined);
  const collected = vi.fn();
  vi.spyOn(vm, 'runInNewContext').mockReturnValue(collected);
  syncBuiltinESMExports();
  const file = folder.file('small.yaml', SMALL);
  const { code, stderr } = await lbsim(['run', file, '--replications', '2', '--jobs', '1']);
  expect(stderr).toContain('There is not enough memory for this');
  expect(code).toBe(2);
  expect(collected).toHaveBeenCalled();
});
