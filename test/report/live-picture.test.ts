import { describe, expect, it } from 'vitest';
import { displayWidth, PLAIN } from '../../src/report/layout.js';
import type { LiveHost, LiveState } from '../../src/report/run/live-picture.js';
import { livePicture } from '../../src/report/run/live-picture.js';

const host = (last: number, more: Partial<LiveHost> = {}): LiveHost => ({
  address: `10.0.0.${last}:80`,
  priority: 0,
  zone: 'a',
  health: 'healthy',
  share: 0.25,
  ...more,
});
const state = (hosts: readonly LiveHost[], more: Partial<LiveState> = {}): LiveState => ({
  name: 'shop',
  atS: 12.34,
  progress: 0.5,
  requests: 12_340,
  failed: 7,
  clusters: [{ name: 'web', policy: 'ROUND_ROBIN', panics: [], hosts }],
  ...more,
});
const HOSTS = [
  host(1, { share: 0.5 }),
  host(2, { health: 'degraded', zone: 'b' }),
  host(3, { health: 'unhealthy', share: undefined, priority: 1 }),
];

describe('the running picture', () => {
  it('has time, requests, and of each host its place, health in a letter and share in a bar', () => {
    const text = livePicture(state(HOSTS), { width: 70, rows: 20, paint: PLAIN });
    expect(text).toEqual([
      '12.3 s  ██████████░░░░░░░░░░  12,340 requests, 7 failed  shop',
      'web  ROUND_ROBIN',
      ` ● H P0 a 10.0.0.1:80  ${'█'.repeat(30)}  50.0 %`,
      ` ◐ D P0 b 10.0.0.2:80  ${'█'.repeat(15)}${' '.repeat(15)}  25.0 %`,
      ` ✕ U P1 a 10.0.0.3:80  ${' '.repeat(30)}       –`,
    ]);
  });

  it('names the priorities in panic', () => {
    const clusters = [{ name: 'web', policy: 'RANDOM', panics: [1], hosts: HOSTS }];
    expect(livePicture(state([], { clusters }), { width: 70, rows: 9, paint: PLAIN })[1]).toBe(
      'web  RANDOM  ▲ panic in priority 1',
    );
  });

  it.each([12, 20, 40, 56, 99])('fits into %i columns, whatever names there are', (width) => {
    const name = `\u202e\u001b[2J${'名'.repeat(40)}`;
    const hosts = [host(1, { address: `${name}:1`, zone: name }), host(2)];
    const clusters = [{ name, policy: 'ROUND_ROBIN', panics: [0], hosts }];
    for (const line of livePicture(state([], { name, clusters }), { width, rows: 20, paint: PLAIN })) {
      expect(displayWidth(line)).toBeLessThanOrEqual(Math.max(width, 23));
      expect(line).not.toMatch(/[\u001b\u202e]/);
    }
  });

  it('sums by priority and zone where hosts are many, and never takes more lines than there are', () => {
    const many = Array.from({ length: 10_000 }, (_, index) =>
      host(1, { zone: index % 2 === 0 ? 'a' : 'b', share: 1e-4, health: index === 0 ? 'unhealthy' : 'healthy' }),
    );
    const text = livePicture(state(many), { width: 80, rows: 20, paint: PLAIN });
    expect(text.slice(2).map((line) => line.replace(/█| {2,}/g, ''))).toEqual([
      ' ✕ U P0 a 4,999 of 5,000 hosts healthy50.0 %',
      ' ● H P0 b 5,000 of 5,000 hosts healthy50.0 %',
    ]);
    const clusters = Array.from({ length: 30 }, (_, index) => ({
      name: `c${index}`,
      policy: 'RANDOM',
      panics: [],
      hosts: many,
    }));
    for (const rows of [1, 2, 3, 4, 10, 20]) {
      const lines = livePicture(state([], { clusters }), { width: 80, rows, paint: PLAIN });
      expect(lines.length).toBeLessThanOrEqual(rows);
      if (rows > 1) expect(lines.at(-1)).toMatch(/^… and \d+ more clusters$/);
    }
  });
});
