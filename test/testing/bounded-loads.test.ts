import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sum } from '../../src/core/values.js';
import { emptyDecision } from '../../src/hostset/load-balancer.js';
import type { PolicyModule } from '../../src/policy/foreign/policy-module.js';
import { RandomStreams } from '../../src/random/streams.js';
import { policyModuleUnderTest } from '../../src/testing/index.js';
import { drawnHashes, healthyHost, PLAIN_CLUSTER } from '../../src/testing/laws/situation.js';
import { times } from '../../src/testing/laws/shares.js';
import { begin } from '../../src/testing/story.js';

/**
 * Consistent hashing with bounded loads as published: at every pick the host has at most ⌈c · mean⌉ requests, the new one
 * included, and a key stays where it is while all are idle for as long as that host has room. Source: Mirrokni, Thorup and
 * Zadimoghaddam, "Consistent Hashing with Bounded Loads", SODA 2018.
 */

const FILE = join(import.meta.dirname, '../../examples/policies/bounded-loads.mjs');
const KEYS = 64;

/** Requests of 64 keys come and go. @returns the first pick that breaks the bound, or leaves a host that has room. */
function broken(module: PolicyModule, c: number, seed: number): string | undefined {
  const subject = policyModuleUnderTest(module, { c, points: 50 });
  const count = 2 + (seed % 5);
  const situation = { seed, cluster: PLAIN_CLUSTER, hosts: times(count, (index) => healthyHost(index)) };
  const { balancer, discovery, request } = begin(subject, situation);
  const { hosts } = discovery;
  const ends = new RandomStreams(String(seed)).stream('ends');
  const placeOf = ({ hi, lo }: { readonly hi: number; readonly lo: number }): number => {
    const decision = emptyDecision();
    balancer.choose({ ...request, hasHash: true, hashHi: hi, hashLo: lo }, decision);
    return hosts.findIndex((host) => host === decision.host);
  };
  const keys = [...drawnHashes(seed, KEYS)].map((hash) => ({ hash, owner: placeOf(hash) }));
  for (let pick = 0; pick < 2000; pick++) {
    const loads = hosts.map(({ activeRequests }) => activeRequests);
    const busy = hosts.find(({ activeRequests }) => activeRequests > 0 && ends.uniform() < 0.3);
    if (busy !== undefined && sum(loads) > 12 * ends.uniform()) {
      busy.activeRequests--;
      continue;
    }
    const { hash, owner } = keys[Math.floor(KEYS * ends.uniform() ** 2)] ?? { hash: { hi: 0, lo: 0 }, owner: -1 };
    const place = placeOf(hash);
    const most = Math.ceil((c * (sum(loads) + 1)) / count);
    const text = `pick ${pick}, with loads of ${loads.join(', ')}: host ${place}`;
    if ((loads[place] ?? Infinity) + 1 > most) return `${text} is beyond ${most}`;
    if (place !== owner && (loads[owner] ?? 0) + 1 <= most) return `${text}, and host ${owner} has room`;
    const host = hosts[place];
    if (host !== undefined) host.activeRequests++;
  }
  return undefined;
}

async function published(change: (text: string) => string = (text) => text): Promise<PolicyModule> {
  const text = change(readFileSync(FILE, 'utf8'));
  return ((await import(`data:text/javascript,${encodeURIComponent(text)}`)) as { default: PolicyModule }).default;
}

describe('consistent hashing with bounded loads as published', () => {
  it.each([1, 1.1, 1.25, 1.5, 2])('is bounded by %s means at every pick', async (c) => {
    const module = await published();
    expect(times(20, (seed) => broken(module, c, seed)).filter((found) => found !== undefined)).toEqual([]);
  });

  it.each([
    ['one more than the bound', 'activeRequests + 1 <= most', 'activeRequests <= most', /is beyond/],
    ['one less', 'activeRequests + 1 <= most', 'activeRequests + 1 < Math.max(most, 2)', /has room/],
    ['a bound that is rounded down', 'Math.ceil((c', 'Math.floor((c + 1e-9 < 1 ? 1 : c', /has room|beyond/],
    ['a mean that is rounded first', '(c * total) / hosts.length', 'c * Math.ceil(total / hosts.length)', /is beyond/],
    ['c twice', '(c * total)', '(c * c * total)', /is beyond/],
    ['no c', '(c * total)', '(total)', /has room/],
    ['no bound', 'hosts[host].activeRequests + 1 <= most', 'true', /is beyond/],
    ['the next host for all', 'const first = low', 'const first = low + (total > 3 ? 1 : 0)', /has room/],
  ])('the test fails %s', async (_, part, wrong, reason) => {
    const module = await published((text) => {
      expect(text).toContain(part);
      return text.replace(part, wrong);
    });
    expect(times(5, (seed) => broken(module, 1.25, seed)).find((found) => found !== undefined)).toMatch(reason);
  });
});
