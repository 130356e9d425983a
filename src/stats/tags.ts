import { canonicalName } from '../core/proxy-names.js';
import type { StatsConfig } from '../settings/world.js';
import { type ProxyVersion, quirksOf } from '../core/version.js';
import { LinearRegex } from '../core/regex/linear-regex.js';

export type Tag = Readonly<{ name: string; value: string }>;

/** A statistic's name without its tags, and the tags in the order in which sinks write them. */
export type TaggedName = Readonly<{ name: string; tags: readonly Tag[] }>;

type Specifier = ReturnType<typeof specifier>;

/** The default tags that names of lbsim's statistics can have; the proxy's others are about listeners and protocols. */
const DEFAULT_TAGS: readonly (readonly [string, string])[] = [
  ['proxy.response_code', '_rq(_(\\d{3}))$'],
  ['proxy.response_code_class', '_rq_((\\d))xx$'],
  ['proxy.cluster_name', '^cluster\\.((.+?)\\.)'],
  ['proxy.http_conn_manager_prefix', '^http\\.((.+?)\\.)'],
];

/**
 * Extracts tags from names.
 *
 * As of 1.40 every expression is matched with the whole name, and their first groups are removed at the end; those that
 * begin with a literal `^word\.` come after the others. Before, each is matched with what the ones before it left. In both,
 * group 1 is removed, the value is group 2, or else group 1, and of several specifiers of one tag the first match wins.
 */
export function tagExtractor(config: StatsConfig | undefined, version: ProxyVersion): (name: string) => TaggedName {
  const specifiers = specifiersOf(config);
  const seeWhole = quirksOf(version).tagsSeeWholeNames;
  const isAnchored = ({ anchor }: Specifier): number => (anchor === undefined ? 0 : 1);
  if (seeWhole) specifiers.sort((a, b) => isAnchored(a) - isAnchored(b));
  return (name) => taggedName(name, specifiers, seeWhole);
}

function specifiersOf(config: StatsConfig | undefined): Specifier[] {
  const defaults = config?.useAllDefaultTags === false ? [] : DEFAULT_TAGS;
  const own = (config?.statsTags ?? []).flatMap(({ tagName, regex = '', fixedValue }) => {
    if (fixedValue !== undefined) return [specifier(tagName, undefined, fixedValue)];
    // The name alone selects a default tag; one that matches nothing here gives no tag.
    const expression = regex === '' ? DEFAULT_TAGS.find(([tag]) => tag === canonicalName(tagName))?.[1] : regex;
    return expression === undefined ? [] : [specifier(tagName, expression)];
  });
  return [...defaults.map(([tag, expression]) => specifier(tag, expression)), ...own];
}

function specifier(tag: string, expression: string | undefined, fixed?: string) {
  return {
    tag,
    fixed,
    regex: expression === undefined ? undefined : new LinearRegex(expression, 'ecmascript'),
    /** The literal `word` of an expression that begins with `^word\.`: it is tried only on names with this prefix. */
    anchor: /^\^(\w+)\\\./.exec(expression ?? '')?.[1],
  };
}

/** @param seeWhole each specifier sees the whole name; else what the ones before it have left. */
function taggedName(original: string, specifiers: readonly Specifier[], seeWhole: boolean): TaggedName {
  const tags = new Map<string, string>();
  const removed = new Uint8Array(original.length);
  let left = original;
  for (const each of specifiers) {
    const isElsewhere = seeWhole && each.anchor !== undefined && !original.startsWith(`${each.anchor}.`);
    const found = tags.has(each.tag) || isElsewhere ? undefined : extract(seeWhole ? original : left, each);
    if (found === undefined) continue;
    tags.set(each.tag, found.value);
    const [from, to] = found.range ?? [0, 0];
    if (seeWhole) removed.fill(1, from, to);
    else left = left.slice(0, from) + left.slice(to);
  }
  const name = Array.from(removed, (isGone, at) => (isGone === 1 ? '' : (original[at] ?? ''))).join('');
  return { name: seeWhole ? name : left, tags: Array.from(tags, ([tag, value]) => ({ name: tag, value })) };
}

/** @returns `range`: the part that the name loses. */
function extract(name: string, { fixed, regex }: Specifier) {
  if (fixed !== undefined) return { value: fixed, range: undefined };
  if (regex === undefined || regex.groups === 0) return undefined;
  const match = regex.search(name);
  if (match === undefined) return undefined;
  const range = match.range(regex.groups >= 2 ? 2 : 1);
  const value = range === undefined ? '' : name.slice(range[0], range[1]);
  return { value: value.endsWith('.') ? value.slice(0, -1) : value, range: match.range(1) };
}
