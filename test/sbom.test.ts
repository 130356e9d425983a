import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packagesOf, sbomOf } from '../scripts/bundled.mjs';

const root = join(import.meta.dirname, '..');

interface Sbom {
  readonly bomFormat: string;
  readonly components: readonly {
    readonly group?: string;
    readonly name: string;
    readonly version: string;
    readonly purl: string;
  }[];
}

const componentsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    (JSON.parse(text) as Sbom).components.map(({ group, name, version }) => [
      group === undefined ? name : `${group}/${name}`,
      version,
    ]),
  );

const installed = (name: string): { readonly version: string; readonly dependencies?: Record<string, string> } =>
  JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')) as { readonly version: string };

describe('the bill of materials', () => {
  it('names each package that modules are of, the innermost one, once', () => {
    const modules = [
      '/x/node_modules/a/node_modules/@scope/b/lib/index.js',
      '/x/node_modules/@scope/b/index.js',
      '/x/node_modules/@scope/b/other.js',
      '/x/src/index.ts',
      '\0rolldown/runtime.js',
    ];
    expect(packagesOf(modules)).toEqual(['/x/node_modules/@scope/b', '/x/node_modules/a/node_modules/@scope/b']);
  });

  it('says name, version and place of a package, as scanners look for them', () => {
    const text = sbomOf({ site: ['node_modules/@hono/node-server'], cli: ['node_modules/@hono/node-server'] });
    const { version } = installed('@hono/node-server');
    const { bomFormat, components } = JSON.parse(text) as Sbom;
    expect(bomFormat).toBe('CycloneDX');
    expect(components).toMatchObject([
      { group: '@hono', name: 'node-server', version, purl: `pkg:npm/%40hono/node-server@${version}` },
    ]);
    expect(sbomOf({ cli: ['node_modules/yaml'] })).toBe(sbomOf({ cli: ['node_modules/yaml'] }));
  });
});

const shipped = join(root, 'dist/sbom.cdx.json');

describe.skipIf(!existsSync(shipped))('the one that is shipped', () => {
  const components = componentsOf(existsSync(shipped) ? readFileSync(shipped, 'utf8') : '{"components": []}');

  it('names every package that sources import, with the version that is installed', () => {
    // The package depends on three, which are files of their own; one is of the gallery, which is not shipped.
    const outside = ['piscina', 'libsql', 'fast-check', 'preact-render-to-string'];
    const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.tsx?$/.test(file),
    );
    const imported = files.flatMap((file) => {
      const text = readFileSync(join(root, 'src', file), 'utf8');
      return [...text.matchAll(/^import (?!type\b)[^;]*?from '([^']+)'|\bimport\('([^']+)'\)/gm)].map(
        ([, fixed, onDemand]) => fixed ?? onDemand ?? '',
      );
    });
    const names = new Set(
      imported
        .filter((name) => !/^(\.|node:)/.test(name))
        .map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'))
        .filter((name) => existsSync(join(root, 'node_modules', name)) && !outside.includes(name)),
    );
    expect(names.size).toBeGreaterThan(10);
    const missing = [...names].filter((name) => components.get(name) !== installed(name).version);
    expect(missing).toEqual([]);
  });

  it('names what those need in turn: every package whose licence came along', () => {
    const licences = readFileSync(join(root, 'dist/cli/third-party-licenses.txt'), 'utf8');
    const named = [...licences.matchAll(/^(\S+) (\d+\.\d+\.\d+\S*) \(.*\)$/gm)].map(([, name = '', version = '']) => [
      name,
      version,
    ]);
    expect(named.length).toBeGreaterThan(10);
    expect([...components]).toEqual(expect.arrayContaining(named));
    expect([...components.keys()]).toEqual(expect.arrayContaining(['style-mod', 'w3c-keyname', '@lezer/common']));
  });
});
