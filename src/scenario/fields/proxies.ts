import { defaultOf } from '../../core/defaults.js';
import { Node } from '../../config/core.js';
import { StatsConfig, StatsSink } from '../../config/metrics.js';
import { checkValue, defaulted, list, optional, repeated, words, yesNo, type Schema } from '../../config/reader.js';
import { nodeOf } from '../../config/source/trees.js';
import { block } from './block.js';
import { ALL_VERSIONS, DEFAULT_PROXY_VERSION, type ProxyVersion } from '../../core/version.js';
import { aboveZero, integer, IpPort, Name, RuntimeMap, scalar, U64Text, Version } from './fields.js';
import type { ProxySpec } from '../../settings/world.js';
import { parseDuration, refuse } from './units.js';

/** `proxies`: the proxies that make the decisions. */

const FLUSH_MIN_US = 1_000;
const FLUSH_MAX_US = 300_000_000;

/** The proxy flushes no more often than every millisecond and at least every five minutes. */
const FlushInterval: Schema<number> = scalar('duration', 'stats-flush-interval', (text) => {
  const parsed = parseDuration(text);
  return parsed.ok && (parsed.value < FLUSH_MIN_US || parsed.value > FLUSH_MAX_US)
    ? refuse(`${text} is out of range: allowed are 1ms to 5m`)
    : parsed;
});

export type NamelessProxy = Omit<ProxySpec, 'name' | 'version'> & {
  readonly name?: string | undefined;
  readonly version?: ProxyVersion | undefined;
};

export const ProxyEntry: Schema<NamelessProxy> = block('proxy', () => ({
  name: optional(Name),
  count: defaulted(integer('count', 1, 10_000), 1),
  share: defaulted(aboveZero('share'), 1),
  workers: defaulted(integer('workers', 1, 1024), 1),
  at: defaulted(words(['birth', 'life']), 'life'),
  version: optional(Version, `Whose behaviour: ${ALL_VERSIONS}. Default "${DEFAULT_PROXY_VERSION}".`),
  node: optional(Node),
  local_cluster_name: optional(Name),
  runtime: defaulted(RuntimeMap, {}),
  stats_flush_interval: defaulted(FlushInterval, defaultOf('config.bootstrap.v2.Bootstrap', 'stats_flush_interval')),
  stats_config: optional(StatsConfig),
  stats_sinks: repeated(StatsSink),
  address: defaulted(IpPort, '10.255.0.1:80'),
  exact_balance: defaulted(yesNo, false),
  use_remote_address: defaulted(yesNo, false),
  xff_num_trusted_hops: defaulted(integer('xff_num_trusted_hops', 0), 0),
  init_random: optional(list(U64Text)),
})).transform(({ statsFlushInterval: statsFlushIntervalUs, ...fields }): NamelessProxy => ({
  ...fields,
  statsFlushIntervalUs,
}));

/** What a file that says nothing of its proxy has. */
export const defaultProxy = (): NamelessProxy => checkValue(ProxyEntry, nodeOf({}), 'scenario').value as NamelessProxy;

/** Name and version filled in: `proxy`, `proxy-2`, … by position; an overriding version takes precedence over the written one. */
export const nameProxy = (
  entry: NamelessProxy,
  index: number,
  version: ProxyVersion | undefined,
  byDefault: ProxyVersion = DEFAULT_PROXY_VERSION,
): ProxySpec => ({
  ...entry,
  name: entry.name ?? numbered('proxy', index),
  version: version ?? entry.version ?? byDefault,
});

/** `proxy`, `proxy-2`, `proxy-3` … */
export const numbered = (word: string, index: number): string => (index === 0 ? word : `${word}-${index + 1}`);

/** The name of each instance of a proxy: the name itself, or with several `name-1`, `name-2`, … */
export const instanceNames = (proxy: { readonly name: string; readonly count: number }): readonly string[] =>
  proxy.count === 1 ? [proxy.name] : Array.from({ length: proxy.count }, (_, index) => `${proxy.name}-${index + 1}`);
