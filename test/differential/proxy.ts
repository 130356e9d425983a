/** A real proxy that is asked whether it takes a configuration. */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';

/** The version whose verdicts are compared. */
const VERSION = '1.40.0';

/** `$ENVOY`, else `envoy` on the PATH; undefined: no such binary, or one of another version. */
export function findProxy(): string | undefined {
  const file = process.env['ENVOY'] ?? 'envoy';
  if (process.env['ENVOY'] !== undefined && !existsSync(file)) return undefined;
  try {
    const version = execFileSync(file, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return version.includes(`/${VERSION}/`) ? file : undefined;
  } catch {
    return undefined;
  }
}

/** @returns what the proxy says against a configuration; undefined: it takes it. */
export async function refusalOf(proxy: string, file: string): Promise<string | undefined> {
  const args = ['--mode', 'validate', '-c', file, '-l', 'error', '--concurrency', '1'];
  return new Promise((resolve) => {
    execFile(proxy, args, { cwd: dirname(file), encoding: 'utf8' }, (error, stdout, stderr) => {
      if (error === null) resolve(undefined);
      else resolve(wordsOf(`${stdout}${stderr}`));
    });
  });
}

/** The reason stands behind the file's name, before or behind a print of the whole configuration. */
function wordsOf(output: string): string {
  const said = output.replace(/^[^]*?error initializing configuration '[^']*': /, '').replace(/\s+/g, ' ');
  return said.length < 600 ? said : `${said.slice(0, 250)} … ${said.slice(-350)}`;
}
