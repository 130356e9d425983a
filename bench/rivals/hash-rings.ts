import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TablePolicyModule } from '../../src/testing/index.js';
import { weightedHosts } from '../../src/policies/index.js';

/** A ring of a package, whatever it keeps. */
export interface NpmRing {
  /** The host of a key. */
  get(key: string): string;
  remove(host: string): void;
}

type Builder = (hosts: readonly string[], entries: number) => NpmRing;

/** The rings of npm: each places hosts in its own way, so that they compare the method and not the ring. */
export const HASH_RINGS: Readonly<Record<string, Builder>> = {
  hashring: await builder('hashring'),
  'consistent-hash': await builder('consistent-hash'),
};

/** As `lbsim bench` has them. */
async function builder(name: string): Promise<Builder> {
  const file = pathToFileURL(join('docs/rings', `${name}.mjs`)).href;
  const { default: module } = (await import(file)) as { default: TablePolicyModule<{ readonly ring: NpmRing }> };
  return (hosts, entries) => module.build(weightedHosts(hosts), { points: entries / hosts.length }).ring;
}
