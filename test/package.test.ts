import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { isBuilt } from '../scripts/build.mjs';
import { obstaclesOfRelease } from '../scripts/release.mjs';

const root = join(import.meta.dirname, '..');
const MOST_BYTES = 12_000_000;

describe('the npm package', () => {
  it.runIf(isBuilt())('takes no more than 12 MB where it is installed', () => {
    const text = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      shell: process.platform === 'win32',
    });
    const [{ files }] = JSON.parse(text) as [{ files: { path: string; size: number }[] }];
    const largest = files.toSorted((a, b) => b.size - a.size).slice(0, 5);
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    expect(bytes, `the largest files: ${largest.map(({ path }) => path).join(', ')}`).toBeLessThanOrEqual(MOST_BYTES);
  });
});

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

describe('a release', () => {
  it('is refused while the placeholder stands for its owner, and names each place', () => {
    const owned = (file: string): string => read(file).replaceAll('OWNER', 'somebody');
    const dated = (file: string): string => owned(file).replace(/^(## \[.*\] – ).*$/m, '$12026-12-01');
    const places = obstaclesOfRelease(read).map((line) => line.split(':', 1)[0]);
    if (read('package.json').includes('OWNER'))
      expect(places.slice(0, 5)).toEqual([...Array<string>(4).fill('package.json'), 'CITATION.cff']);
    expect(obstaclesOfRelease(dated)).toEqual([]);
    expect(obstaclesOfRelease(dated, 'v0.0.1')).toEqual(['the tag v0.0.1 is not that of version 0.1.0']);
    const unreleased = (file: string): string => dated(file).replace(/2026-12-01/, 'unreleased');
    expect(obstaclesOfRelease(unreleased)).toEqual(['CHANGELOG.md: 0.1.0 has no date']);
  });

  it.runIf(isBuilt())('would be published as it is packed', () => {
    const { stderr, status } = spawnSync(
      'npm',
      // Nobody listens there: a dry run asks nobody.
      ['publish', '--dry-run', '--ignore-scripts', '--registry=http://127.0.0.1:9', '--fetch-retries=0'],
      { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' },
    );
    expect({ status, errors: /npm (?:error|ERR!).*/.exec(stderr)?.[0] }).toEqual({ status: 0, errors: undefined });
    expect(stderr).toContain('name: lbsim');
  });
});

describe('what stands beside the sources', () => {
  it('is at most 22 files and folders', () => {
    const ignored = new Set(['.git', 'node_modules', 'dist', 'site', 'coverage', 'dist-bench']);
    const names = readdirSync(root).filter((name) => !ignored.has(name));
    expect(names.length, names.join(' ')).toBeLessThanOrEqual(22);
  });

  it.each([
    'workflows/ci.yml',
    'workflows/release.yml',
    'dependabot.yml',
    'ISSUE_TEMPLATE/disagreement.yml',
    'ISSUE_TEMPLATE/question.yml',
  ])('.github/%s is YAML without mistakes', (file) => {
    expect(parse(read(`.github/${file}`))).toEqual(expect.any(Object));
  });

  it('pull requests run .ci/run and the release without publishing; a tag runs the same and publishes with provenance', () => {
    const steps = (file: string): readonly string[] => {
      const { jobs } = parse(read(`.github/workflows/${file}`)) as {
        readonly jobs: Readonly<Record<string, { readonly steps: readonly { readonly run?: string }[] }>>;
      };
      return Object.values(jobs).flatMap((job) => job.steps.flatMap(({ run }) => (run === undefined ? [] : [run])));
    };
    expect(read('.github/workflows/ci.yml')).toContain('\n  pull_request:\n');
    expect(steps('ci.yml')).toEqual(['.ci/run', 'npm publish --dry-run --ignore-scripts']);
    expect(steps('release.yml')).toEqual([
      'node scripts/release.mjs',
      '.ci/run',
      'npm publish --provenance --access public',
    ]);
  });
});
