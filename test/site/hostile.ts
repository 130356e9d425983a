import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Markup, quotes, marks that turn text around, and length. */
export const EVIL = `</script><img src=x onerror="alert(1)">'"&amp;\u202e\u200f`;
const LONG = `${EVIL}${'x'.repeat(10_000)}`;
export const HOSTILE = {
  name: LONG,
  description: LONG,
  clusters: [{ name: `${EVIL}c`, connect_timeout: '1s' }],
  endpoints: {
    [`${EVIL}c`]: [
      { address: '10.0.0.1:80', hostname: LONG, zone: LONG, count: 3 },
      { address: '10.0.1.1:80', zone: 'b' },
    ],
  },
  workloads: [{ name: LONG, cluster: `${EVIL}c`, arrivals: '100/s', stop: '4s' }],
  timeline: [
    { at: '1s', note: LONG },
    { at: '2s', set_health: { hosts: '10.0.0.1', status: 'UNHEALTHY' } },
  ],
};

/** Nothing of a name has become a part of the page, nor turns the text around that follows it. */
export async function isText(page: Page): Promise<void> {
  expect(await page.locator('body img:not(.cm-widgetBuffer), body > div script').count()).toBe(0);
  const texts = [await page.title(), ...(await page.locator('body > div, body title').allTextContents())];
  const turned = /.{0,40}[\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
  expect(texts.flatMap((text) => turned.exec(text)?.[0] ?? [])).toEqual([]);
}
