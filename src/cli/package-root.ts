import { readFileSync } from 'node:fs';

/**
 * The folder of this package, as a URL that ends with a slash: here are package.json and the shipped scenarios. The
 * bundled command lies as deep as this source, in dist/cli/.
 */
export const packageRoot = new URL('../../', import.meta.url);

/** The version of this package. */
export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : 'unknown';
}
