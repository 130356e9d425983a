import { OWN_NAMES } from '../generated/own-names.js';
import { apiOf, type ApiVersion } from './api.js';

const NEUTRAL: Readonly<Record<string, string>> = OWN_NAMES.neutral;
const RENAMED: Readonly<Record<string, string>> = OWN_NAMES.renamed;

let continued: ReadonlyMap<string, string> | undefined;

/** v3 messages by the v2 message that they continue. */
function continuations(): ReadonlyMap<string, string> {
  const made = new Map<string, string>();
  const api = apiOf('v3');
  for (const name of api.names) {
    const previous = api.previousOf(name);
    if (previous !== undefined) made.set(previous, name);
  }
  return made;
}

/**
 * The name of a message in a table; undefined: the API has no such message.
 * @param ours as in documentation: `Cluster.RingHashLbConfig` of `api.v2`, other packages in full; or a v3 name.
 */
export function tableName(ours: string, version: ApiVersion): string | undefined {
  const v2 = apiOf('v2');
  const name = NEUTRAL[ours] ?? ours;
  const former = [`api.v2.${name}`, name].find((one) => v2.has(one));
  if (version === 'v2') return former;
  const next = former === undefined ? undefined : (continued ??= continuations()).get(former);
  const v3 = apiOf('v3');
  // Messages newer than v2, by the message that they belong to.
  return next ?? [name, `config.cluster.v3.${name}`].find((one) => v3.has(one));
}

/** The v2 message that a message continues; undefined: none, it is new. */
export function formerMessage(name: string, version: ApiVersion): string | undefined {
  if (version === 'v2') return name;
  const former = apiOf('v3').previousOf(name);
  if (former !== undefined) return former;
  const own = name.replace(/^config\.cluster\.v3\./, 'api.v2.');
  return apiOf('v2').has(own) ? own : undefined;
}

/** Our name of a message of a table: the reverse of {@link tableName}. */
export function displayName(name: string): string {
  const neutral = Object.entries(NEUTRAL).find(([, one]) => one === name || `api.v2.${one}` === name);
  return neutral === undefined ? name.replace(/^api\.v2\./, '') : neutral[0];
}

export const formerName = (field: string): string =>
  Object.hasOwn(RENAMED, field) ? (RENAMED[field] ?? field) : field;

export const fieldName = (field: string, version: ApiVersion): string =>
  version === 'v2' ? field : (Object.entries(RENAMED).find(([, former]) => former === field)?.[0] ?? field);
