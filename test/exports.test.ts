import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as lbsim from '../src/index.js';

const root = join(import.meta.dirname, '..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
};

it('every entry point of the package has its source', () => {
  const targets = Object.values(manifest.exports).flatMap((entry) =>
    typeof entry === 'string' ? [entry] : Object.values(entry),
  );
  const files = targets.map((path) => path.replace(/\/\*$/, ''));
  const sources = files.map((path) => path.replace('./dist/', './src/').replace(/(\.d\.ts|\.js)$/, '.ts'));
  expect(sources.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(Object.keys(manifest.exports)).toEqual([
    '.',
    './policies',
    './policies/hashing',
    './testing',
    './schema/*',
    './package.json',
  ]);
});

it('the library reads, runs and predicts', async () => {
  const { scenario, problems } = lbsim.loadScenario({
    file: 'two.yaml',
    text: 'clusters: [{name: web, connect_timeout: 1s}]\nendpoints: {web: [10.0.0.1:80, 10.0.0.2:80]}\n',
  });
  expect(problems).toEqual([]);
  if (scenario === undefined) throw new Error('it does not load');
  const result = await lbsim.runScenario(scenario);
  expect(result.clusters['web']?.hosts.map(({ share }) => share)).toEqual([0.5, 0.5]);
  const prediction = await lbsim.predict(scenario);
  expect(prediction.clusters['web']?.hosts.map(({ share }) => share)).toEqual([0.5, 0.5]);
});

it('the library refuses by name what it does not simulate', async () => {
  const { scenario } = lbsim.loadScenario({
    file: 'other.yaml',
    text: 'clusters: [{name: web, connect_timeout: 1s}]\nendpoints: {web: [10.0.0.1:80]}\nrequests: [{at: 0s, cluster: web, headers: {x-envoy-retry-on: 5xx}}]\n',
  });
  if (scenario === undefined) throw new Error('it does not load');
  await expect(lbsim.runScenario(scenario)).rejects.toThrow(lbsim.UnsupportedError);
  await expect(lbsim.createSimulation(scenario)).rejects.toMatchObject({
    features: [{ feature: 'header x-proxy-retry-on', path: 'requests[0]' }],
  });
});
