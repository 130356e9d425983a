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

/** In alphabetical order, without the extension. */
export function shippedNames(): readonly string[] {
  return readdirSync(SCENARIOS)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.replace(/\.yaml$/, ''))
    .sort();
}

export function shippedScenario(name: string): URL | undefined {
  if (!/^[\w-]+(\.yaml)?$/.test(name)) return undefined;
  const url = new URL(`${name.replace(/\.yaml$/, '')}.yaml`, SCENARIOS);
  return existsSync(url) ? url : undefined;
}
