import { microsToSeconds } from '../../core/units.js';
import type { PublishedResult } from '../../result/run-result.js';
import type { ProxySpec } from '../../settings/world.js';
import type { StatGrowth } from './measurements.js';
import { windowFlushes } from '../../stats/dashboard.js';
import { statsFilter } from '../../stats/matcher.js';
import { DEFAULT_PREFIX } from '../../stats/statsd.js';
import { tagExtractor } from '../../stats/tags.js';

/** undefined: there is nothing to tell. */
export function publishedOf(
  stat: string,
  proxies: readonly ProxySpec[],
  growth: StatGrowth | undefined,
): PublishedResult | undefined {
  const keeper = proxies.find(({ statsConfig }) => statsFilter(statsConfig?.statsMatcher)(stat));
  if (keeper === undefined) return { kept: false };
  const sinks = keeper.statsSinks.map(({ sink }) => sink);
  const everyS = microsToSeconds(keeper.statsFlushIntervalUs);
  const published: PublishedResult = { kept: true };
  for (const sink of sinks) {
    const { firstUs, lastUs } = growth ?? {};
    if (sink.kind === 'foreign' || firstUs === undefined || lastUs === undefined) continue;
    const window = windowFlushes(Number(sink.kind === 'dashboard' ? sink.numBuckets : 1));
    if (window > 1) published.window = window;
    published.every_s = everyS;
    published.first_s = microsToSeconds(firstUs);
    published.last_s = microsToSeconds(lastUs) + (window - 1) * everyS;
    if (sink.kind !== 'tagged_statsd') continue;
    const { name, tags } = tagExtractor(keeper.statsConfig, keeper.version)(stat);
    const told = tags.map((tag) => `${tag.name}:${tag.value}`);
    const wanted = (keeper.statsConfig?.statsTags ?? []).map(({ tagName }) => tagName);
    const without = wanted.filter((one) => !tags.some((tag) => tag.name === one));
    published.sent_as = { name: `${sink.prefix || DEFAULT_PREFIX}.${name}`, tags: told, without };
  }
  return sinks.some(({ kind }) => kind !== 'foreign') ? published : undefined;
}
