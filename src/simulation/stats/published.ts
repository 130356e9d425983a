import { microsToSeconds } from '../../core/units.js';
import type { PublishedResult } from '../../result/run-result.js';
import type { ProxySpec } from '../../settings/world.js';
import { windowFlushes } from '../../stats/dashboard.js';
import { statsFilter } from '../../stats/matcher.js';
import { DEFAULT_PREFIX } from '../../stats/statsd.js';
import { tagExtractor } from '../../stats/tags.js';

/** undefined: there is nothing to tell. */
export function publishedOf(stat: string, proxies: readonly ProxySpec[]): PublishedResult | undefined {
  const keeper = proxies.find(({ statsConfig }) => statsFilter(statsConfig?.statsMatcher)(stat));
  if (keeper === undefined) return { kept: false };
  const sinks = keeper.statsSinks.map(({ sink }) => sink);
  const everyS = microsToSeconds(keeper.statsFlushIntervalUs);
  const published: PublishedResult = { kept: true };
  for (const sink of sinks) {
    if (sink.kind === 'dashboard') published.shown_for_s = windowFlushes(Number(sink.numBuckets)) * everyS;
    if (sink.kind === 'statsd' || sink.kind === 'tagged_statsd') published.sent_every_s = everyS;
    if (sink.kind !== 'tagged_statsd') continue;
    const { name, tags } = tagExtractor(keeper.statsConfig, keeper.version)(stat);
    const told = tags.map((tag) => `${tag.name}:${tag.value}`);
    published.sent_as = { name: `${sink.prefix || DEFAULT_PREFIX}.${name}`, tags: told };
  }
  return sinks.some(({ kind }) => kind !== 'foreign') ? published : undefined;
}
