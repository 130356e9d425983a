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
  if (!quirksOf(version).tagsSeeWholeNames) return (name) => extractInTurn(name, specifiers);
  const isFree = ({ anchor }: Specifier): boolean => anchor === undefined;
  const ordered = [...specifiers.filter(isFree), ...specifiers.filter((each) => !isFree(each))];
  return (name) => extractAtOnce(name, ordered);
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

function extractAtOnce(original: string, specifiers: readonly Specifier[]): TaggedName {
  const tags = new Map<string, string>();
  const removed = new Uint8Array(original.length);
  for (const each of specifiers) {
    if (tags.has(each.tag) || (each.anchor !== undefined && !original.startsWith(`${each.anchor}.`))) continue;
    const found = extract(original, each);
    if (found === undefined) continue;
    tags.set(each.tag, found.value);
    if (found.range !== undefined) removed.fill(1, found.range[0], found.range[1]);
  }
  let name = '';
  for (let at = 0; at < original.length; at++) if (removed[at] === 0) name += original[at] ?? '';
  return { name, tags: listOf(tags) };
}

function extractInTurn(original: string, specifiers: readonly Specifier[]): TaggedName {
  const tags = new Map<string, string>();
  let name = original;
  for (const each of specifiers) {
    if (tags.has(each.tag)) continue;
    const found = extract(name, each);
    if (found === undefined) continue;
    tags.set(each.tag, found.value);
    if (found.range !== undefined) name = name.slice(0, found.range[0]) + name.slice(found.range[1]);
  }
  return { name, tags: listOf(tags) };
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

const listOf = (tags: ReadonlyMap<string, string>): Tag[] => [...tags].map(([name, value]) => ({ name, value }));
