/**
 * Data as modules: tables and recordings are text files, and what runs without files beside it (the library in a browser, the
 * page, a worker) imports them. Each module holds one string or one object, whose type says no more than that.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from './files.mjs';

const TABLES = ['v2', 'v3'].map((version) => ({
  data: `src/config/api/${version}.txt`,
  module: `src/config/api/generated/${version}-table.ts`,
  name: 'TABLE',
  type: 'string',
  literal: (text) => JSON.stringify(text.replace(/^#.*\n/gm, '')),
}));
const RECORDS = {
  data: 'src/testing/recorded/records.json',
  module: 'src/testing/recorded/generated/records.ts',
  name: 'RECORDS',
  type: 'Readonly<Record<string, readonly string[]>>',
  literal: (text) => JSON.stringify(JSON.parse(text)),
};

/** Writes the modules that are not what their data says: anew where that changed, none at most starts. */
export function writeDataModules() {
  for (const { data, module, name, type, literal } of [...TABLES, RECORDS]) {
    const text = readFileSync(join(root, data), 'utf8');
    const source = `// Made of ${basename(data)} by scripts/data-modules.mjs.\nexport const ${name}: ${type} = ${literal(text)};\n`;
    const file = join(root, module);
    if (isWritten(file, source)) continue;
    mkdirSync(dirname(file), { recursive: true });
    // Several processes may do so at a time: each reader sees a whole file.
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, source);
    renameSync(unfinished, file);
  }
}

function isWritten(file, source) {
  try {
    return readFileSync(file, 'utf8') === source;
  } catch {
    return false;
  }
}
