import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PolicyModule } from '../../src/policy/foreign/policy-module.js';
import { type BalancerUnderTest, boundsEveryPick, policyModuleUnderTest } from '../../src/testing/index.js';
import { reasonOf } from './falsified.js';

const FILE = join(import.meta.dirname, '../../examples/policies/bounded-loads.mjs');

/** The example, or what a change of its text makes of it. */
async function published(c: number, change: (text: string) => string = (text) => text): Promise<BalancerUnderTest> {
  const text = encodeURIComponent(change(readFileSync(FILE, 'utf8')));
  const { default: module } = (await import(`data:text/javascript,${text}`)) as { default: PolicyModule };
  return policyModuleUnderTest(module, { c, points: 50 });
}

describe('consistent hashing with bounded loads as published', () => {
  it.each([1, 1.1, 1.25, 1.5, 2])('is bounded by %s means at every pick', async (c) => {
    const subject = await published(c);
    for (const seed of [1, 2, 3]) boundsEveryPick(subject, c, { seed });
  });

  it.each([
    ['one more than the bound', 'activeRequests + 1 <= most', 'activeRequests <= most', /one more went to/],
    ['one less', 'activeRequests + 1 <= most', 'activeRequests + 1 < Math.max(most, 2)', /which has room/],
    ['a bound that is rounded down', 'Math.ceil((c * total)', 'Math.max(1, Math.floor((c * total)', /no host|room/],
    ['a mean that is rounded first', '(c * total) / hosts.length', 'c * Math.ceil(total / hosts.length)', /one more/],
    ['c twice', '(c * total)', '(c * c * total)', /one more went to/],
    ['no c', '(c * total)', '(total)', /which has room/],
    ['no bound', 'hosts[host].activeRequests + 1 <= most', 'true', /one more went to/],
    ['the new one left out', 'activeRequests, 0) + 1', 'activeRequests, 0)', /no host|room/],
    ['the next host for all', 'const first = low', 'const first = low + (total > 3 ? 1 : 0)', /which has room/],
  ])('its law fails %s', async (_, part, wrong, reason) => {
    const subject = await published(1.25, (text) => {
      expect(text).toContain(part);
      const changed = text.replace(part, wrong);
      return part.startsWith('Math.ceil') ? changed.replace('/ hosts.length)', '/ hosts.length))') : changed;
    });
    expect(await reasonOf(() => boundsEveryPick(subject, 1.25, { seed: 1 }))).toMatch(reason);
  });
});
