import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The package's folder, with a slash at its end. The bundled command lies as deep as this source, in dist/cli/. */
export const packageRoot = new URL('../../', import.meta.url);

export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : 'unknown';
}

export const SCENARIOS = new URL('scenarios/', packageRoot);
/** Scenarios without clusters, for `lbsim test --on`. */
const QUESTIONS = new URL('docs/questions/', packageRoot);

/** In alphabetical order, without the extension. */
export const shippedNames = (): readonly string[] =>
  readdirSync(SCENARIOS)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.replace(/\.yaml$/, ''))
    .sort();

/** The file of a shipped scenario or question, by its name; undefined: there is none. */
export function shippedScenario(name: string): URL | undefined {
  if (!/^[\w-]+(\.yaml)?$/.test(name)) return undefined;
  const urls = [SCENARIOS, QUESTIONS].map((folder) => new URL(`${name.replace(/\.yaml$/, '')}.yaml`, folder));
  return urls.find((url) => existsSync(url));
}
