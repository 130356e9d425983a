import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Folder } from './files.js';

/**
 * What a start takes beyond Node itself: bytes of code that are parsed, and instructions as valgrind counts them where it is
 * installed. Needs `npm run build`, as `npm test` does first.
 */
const MOST_BYTES = { predict: 670_000, validate: 520_000, '--version': 95_000 };
const MOST_INSTRUCTIONS = { predict: 560e6, validate: 430e6 };

const root = join(import.meta.dirname, '../..');
const MAIN = join(root, 'dist/cli/main.js');
const SMALL = join(root, 'scenarios/canary-any-endpoint.yaml');

const folder = new Folder();
afterAll(() => folder.remove());

/** Writes the modules that a process has compiled on standard error. */
const hook = folder.file(
  'loaded.cjs',
  `const Module = require('node:module');
const { _compile } = Module.prototype;
const loaded = [];
Module.prototype._compile = function (code, file) {
  loaded.push([file, Buffer.byteLength(code)]);
  return _compile.apply(this, arguments);
};
process.on('exit', () => process.stderr.write('loaded ' + JSON.stringify(loaded)));
`,
);

const known = new Map<string, ReadonlyMap<string, number>>();

function loaded(...argv: readonly string[]): ReadonlyMap<string, number> {
  const found = known.get(argv.join(' ')) ?? loadedBy(argv);
  known.set(argv.join(' '), found);
  return found;
}

function loadedBy(argv: readonly string[]): ReadonlyMap<string, number> {
  const { stderr } = spawnSync(process.execPath, ['--require', hook, MAIN, ...argv], { encoding: 'utf8' });
  const files = JSON.parse(/loaded (.*)$/.exec(stderr)?.[1] ?? '[]') as [string, number][];
  return new Map(files.map(([file, bytes]) => [basename(file), bytes]));
}

describe('a start', () => {
  it.each(Object.entries(MOST_BYTES))('of %s parses few files and bytes', (command, bytes) => {
    const files = loaded(command, ...(command.startsWith('-') ? [] : [SMALL]));
    expect(files.size).toBeGreaterThan(3);
    expect(files.size).toBeLessThanOrEqual(10);
    const sum = [...files.values()].reduce((total, one) => total + one, 0);
    expect(sum, JSON.stringify([...files])).toBeLessThanOrEqual(bytes);
  });

  const objects = folder.file(
    'service.yaml',
    'apiVersion: networking.istio.io/v1\nkind: ServiceEntry\nmetadata: {name: a}\n',
  );
  const busy = join(root, 'scenarios/least-request-slow-host.yaml');

  it.each([
    ['set-path.js', ['validate', SMALL, '--set', 'seed=2']],
    ['apply-hosts-option.js', ['validate', SMALL, '--hosts', 'backend=3']],
    ['control-planes.js', ['validate', objects]],
    ['secrets.js', ['validate', objects]],
    ['policies.js', ['validate', join(root, 'scenarios/tiny-ring.yaml')]],
    ['rules.js', ['validate', SMALL]],
    ['under-load.js', ['predict', busy]],
    ['gather.js', ['validate', folder.file('clusters.json', '[{"name": "a", "connect_timeout": "1s"}]')]],
  ])('loads %s for those who need it', (file, argv) => {
    expect([...loaded(...argv).keys()]).toContain(file);
    expect([...loaded('--version').keys()]).not.toContain(file);
  });

  const ringed = join(root, 'scenarios/tiny-ring.yaml');
  it.each([
    ['run', SMALL],
    ['predict', SMALL],
    ['explain', SMALL],
    ['ring', ringed, 'ring-64'],
    ['prove', SMALL],
    ['find', SMALL],
    ['curve', SMALL, '--lose', 'priority=0'],
    ['compare', SMALL, '--version-b', '1.40'],
    ['test', SMALL],
    ['validate', SMALL],
    [
      'import',
      folder.file(
        'bare.json',
        '[{"name": "a", "type": "STATIC", "hosts": [{"socket_address": {"address": "10.0.0.1", "port_value": 80}}]}]',
      ),
    ],
    ['policies'],
    ['examples'],
    ['schema'],
    ['completion', 'bash'],
    ['init', '-'],
  ])('of %s works, whichever file of the bundle is loaded first', (...argv) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...argv], { encoding: 'utf8' });
    expect(stderr).not.toMatch(/defect|circular/);
    expect(stdout).not.toBe('');
    expect(status).toBe(0);
  });

  it('has each file that code of the command loads', () => {
    const files = readdirSync(join(MAIN, '..')).filter((name) => name.endsWith('.js'));
    const named = files.flatMap((file) =>
      Array.from(
        readFileSync(join(MAIN, '..', file), 'utf8').matchAll(
          /(?:require\([`'"]\.\/|read\([`'"])([\w-]+\.js(?:on)?)[`'"]\)/g,
        ),
        ([, name = '']) => name,
      ),
    );
    expect(named.length).toBeGreaterThan(files.length);
    expect(named.filter((name) => !existsSync(join(MAIN, '..', name)))).toEqual([]);
  });
});

const hasValgrind = spawnSync('valgrind', ['--version']).status === 0;

/** Of the whole process. Certificates of the machine's own would be read first, and compiled code of earlier runs would be found. */
function instructions(...argv: readonly string[]): number {
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: undefined, NODE_DISABLE_COMPILE_CACHE: '1' };
  const tool = ['--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null', process.execPath];
  const { stderr } = spawnSync('valgrind', [...tool, ...argv], { encoding: 'utf8', env });
  return Number(/I\s+refs:\s+([\d,]+)/.exec(stderr)?.[1]?.replaceAll(',', ''));
}

describe.skipIf(!hasValgrind)('instructions of a start, by valgrind', () => {
  const node = hasValgrind ? instructions('--eval', '0') : 0;

  it.each(Object.entries(MOST_INSTRUCTIONS))('of %s are few', (command, most) => {
    const taken = instructions(MAIN, command, SMALL) - node;
    expect(taken).toBeGreaterThan(most / 2);
    expect(taken).toBeLessThanOrEqual(most);
  });
});
