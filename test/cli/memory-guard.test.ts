import { afterAll, expect, it } from 'vitest';
import { ExitCode, MemoryError } from '../../src/cli/session.js';
import { checkMemory, type HeapLook } from '../../src/cli/long-work.js';
import { Folder } from './files.js';
import { lbsim } from './harness.js';

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

const MB = 2 ** 20;

/** A heap of which so much is in use, and so much is left of that once it is collected. */
function heapOf(usedMb: number, neededMb: number, limitMb: number): HeapLook {
  let used = usedMb * MB;
  return {
    heap: () => ({ used, limit: limitMb * MB }),
    collect: () => (used = neededMb * MB),
  };
}

it.each([
  ['half of it is in use', heapOf(2000, 2000, 4000)],
  ['it is full of what nobody needs', heapOf(3900, 1000, 4000)],
  ['a small one has room', heapOf(70, 70, 100)],
])('a heap is enough where %s', (_, look) => {
  expect(() => checkMemory(look)).not.toThrow();
});

it.each([
  ['hardly any is left of a large one', heapOf(3900, 3500, 4000)],
  ['hardly more is left of a small one than one slice makes', heapOf(90, 80, 100)],
])('a heap is not enough where %s', (_, look) => {
  expect(() => checkMemory(look)).toThrow(MemoryError);
});

const FLEET = `
clusters: [{name: b}]
endpoints: {b: [{address: 10.0.0.1:80, count: 1000}]}
proxies: [{name: edge, count: 100}]
workloads: [{cluster: b, arrivals: 10/s, stop: 1s}]
`;

it.each([
  ['another process has', 10 * MB, 1000 * MB, ExitCode.interrupted, ''],
  ['no process has', 10 * MB, 20 * MB, ExitCode.input, '20,971,520'],
  ['this one has', 1000 * MB, 1000 * MB, ExitCode.ok, ''],
])('a run that needs more than memory that %s', async (_, ofProcess, ofMachine, code, said) => {
  const memory = { ofProcess, ofMachine, restart: () => Promise.resolve(ExitCode.interrupted) };
  const called = await lbsim(['run', folder.file('fleet.yaml', FLEET)], { memory });
  expect(called.code).toBe(code);
  expect(called.stderr).toContain(said);
});
