import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { CompiledModules } from '../../src/cli/compiled-modules.js';
import { Folder } from './files.js';

const folder = new Folder();
afterAll(() => folder.remove());

const MAIN = `"use strict";
const part = require("./part.js");
exports.text = () => part.word + require("node:path").basename(__filename) + __dirname.length;
`;

/** Two modules of which bytecode was kept. */
function kept(name: string): string {
  const dir = join(folder.path, name);
  mkdirSync(dir);
  writeFileSync(join(dir, 'main.js'), MAIN);
  writeFileSync(join(dir, 'part.js'), 'exports.word = "one";\n');
  const modules = new CompiledModules(dir);
  expect(textOf(modules)).toBe(`onemain.js${dir.length}`);
  modules.save();
  return dir;
}

function textOf(modules: CompiledModules): string {
  return (modules.load('./main.js') as { text: () => string }).text();
}

describe('modules with bytecode', () => {
  it('run what was compiled earlier, not what the source says now', () => {
    const dir = kept('stale');
    // As long as before: V8 looks at the length alone.
    writeFileSync(join(dir, 'part.js'), 'exports.word = "two";\n');
    expect(textOf(new CompiledModules(dir))).toBe(`onemain.js${dir.length}`);
  });

  it('are compiled anew where the source has another length', () => {
    const dir = kept('edited');
    writeFileSync(join(dir, 'part.js'), 'exports.word = "three";\n');
    expect(textOf(new CompiledModules(dir))).toBe(`threemain.js${dir.length}`);
  });

  it('are compiled where bytecode is cut off or missing', () => {
    const dir = kept('damaged');
    const { bytecode } = new CompiledModules(dir);
    expect(readdirSync(bytecode).sort()).toEqual(['main.js.bin', 'part.js.bin']);
    writeFileSync(join(bytecode, 'main.js.bin'), '');
    rmSync(join(bytecode, 'part.js.bin'));
    expect(textOf(new CompiledModules(dir))).toBe(`onemain.js${dir.length}`);
  });

  it('run once, however many ask for them', () => {
    const dir = kept('once');
    const modules = new CompiledModules(dir);
    expect(modules.load('./part.js')).toBe(modules.load('./part.js'));
  });
});
