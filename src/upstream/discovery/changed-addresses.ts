import { type Happening, someHosts } from '../cause.js';
import type { EndpointState } from '../../settings/assignment.js';

/** What an answer changed; undefined where nothing did. */
export function changedAddresses(
  name: string,
  before: readonly EndpointState[],
  after: readonly EndpointState[],
): Happening | undefined {
  const old = new Set(before.map(({ address }) => address));
  const now = new Set(after.map(({ address }) => address));
  const added = [...now].filter((address) => !old.has(address));
  const gone = [...old].filter((address) => !now.has(address));
  if (added.length === 0 && gone.length === 0) return undefined;
  return { kind: 'addresses', name, added: someHosts(added), gone: someHosts(gone), left: now.size };
}
