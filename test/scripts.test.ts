import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { Folder } from './cli/files.js';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = new Folder();
afterAll(() => folder.remove());

/** A checkout in which nothing is installed, and an npm that cannot install it. */
const checkout = join(folder.path, 'checkout');
mkdirSync(checkout);
for (const name of ['scripts', 'src', 'package.json', 'package-lock.json', 'tsconfig.json']) {
  cpSync(join(root, name), join(checkout, name), { recursive: true });
}
const npm = join(folder.path, 'npm-cli.js');
writeFileSync(npm, 'console.error(`npm was called: ${process.argv.slice(2).join(" ")}`);\nprocess.exit(1);\n');

describe('before npm install', () => {
  it.each([
    ['npm run build, npm pack', ['scripts/build.mjs']],
    ['node scripts/build-wasm.mjs', ['scripts/build-wasm.mjs']],
    ['npm run check', ['scripts/check.mjs']],
    ['npm start', ['scripts/start.mjs']],
    ['npm run conformance', ['--import', './scripts/typescript-register.mjs', 'test/conformance/main.ts']],
  ])('%s installs, and says in a sentence where that fails', (_, args) => {
    const env = { ...process.env, npm_execpath: npm };
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: checkout, env, encoding: 'utf8' });
    expect(stderr).toBe(
      'installing dependencies …\n' +
        'npm was called: ci --include=dev --dry-run=false --no-audit --no-fund --loglevel=error\n' +
        'installing dependencies failed\n',
    );
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });
});
