import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Launch } from './contender.js';
import { quick } from './print.js';

/** Where benchmarks are compiled to. */
const OUT = 'dist-bench';
const SOURCES = 'bench/rivals';
const COMPILERS = ['g++', 'clang++'];

/** A build of lbsim: a folder with a `dist/`. */
export function lbsim(build = '.'): Launch {
  return node(build === '.' ? 'lbsim' : `lbsim in ${build}`, 'lbsim.js', build);
}

const ofNpm =
  (library: string): (() => Launch) =>
  () =>
    node(library, 'rivals/npm.js', library);

/** By name, how each rival is made ready; undefined: this machine has no tool for it. */
const RIVALS: Readonly<Record<string, () => Launch | undefined>> = {
  'C++': () => {
    const out = join(OUT, 'native');
    mkdirSync(OUT, { recursive: true });
    const sources = ['native.cpp', 'simulation.cpp'].map((file) => join(SOURCES, file));
    const works = COMPILERS.some((compiler) => succeeds(compiler, ['-O3', '-std=c++17', '-o', out, ...sources]));
    return works ? { name: 'C++', command: out, args: [] } : undefined;
  },
  Go: () => {
    const out = join(OUT, 'simulation-go');
    const works = succeeds('go', ['build', '-o', out, join(SOURCES, 'simulation.go')]);
    return works ? { name: 'Go', command: out, args: [] } : undefined;
  },
  // Compiling it takes a minute.
  NeXosim: () => {
    const out = join(OUT, 'nexosim');
    const manifest = join(SOURCES, 'nexosim', 'Cargo.toml');
    const build = ['build', '--release', '--manifest-path', manifest, '--target-dir', out];
    const works = !quick && succeeds('cargo', build);
    return works ? { name: 'NeXosim', command: join(out, 'release', 'simulation-nexosim'), args: [] } : undefined;
  },
  SimPy: () =>
    succeeds('python3', ['-c', 'import simpy'])
      ? { name: 'SimPy', command: 'python3', args: [join(SOURCES, 'simulation.py')] }
      : undefined,
  'BigInt + sort': ofNpm('bigint'),
  hashring: ofNpm('hashring'),
  'consistent-hash': ofNpm('consistent-hash'),
  closures: ofNpm('closures'),
  simjs: ofNpm('simjs'),
};

const ready = new Map<string, Launch | undefined>();

/** @returns undefined where this machine cannot run it. */
export function rival(name: string): Launch | undefined {
  if (name === 'lbsim') return lbsim();
  if (!ready.has(name)) ready.set(name, RIVALS[name]?.());
  return ready.get(name);
}

function node(name: string, script: string, argument: string): Launch {
  return { name, command: process.execPath, args: ['--expose-gc', join(OUT, 'bench', script), argument] };
}

function succeeds(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}
