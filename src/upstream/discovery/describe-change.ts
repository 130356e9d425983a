import type { EndpointState } from '../assignment.js';

/** More addresses than this are counted, not named. */
const NAMED = 3;

/** What an answer changed, as `backend.local: 10.0.0.3:80 added, 10.0.0.1:80 gone`; undefined where nothing changed. */
export function describeChange(
  name: string,
  before: readonly EndpointState[],
  after: readonly EndpointState[],
): string | undefined {
  const old = new Set(before.map(({ address }) => address));
  const now = new Set(after.map(({ address }) => address));
  const added = [...now].filter((address) => !old.has(address));
  const gone = [...old].filter((address) => !now.has(address));
  if (added.length === 0 && gone.length === 0) return undefined;
  const parts = [listed(added, 'added'), listed(gone, 'gone')].filter((part) => part !== '');
  return `${name}: ${parts.join(', ')}${now.size === 0 ? ', no address left' : ''}`;
}

function listed(addresses: readonly string[], what: string): string {
  if (addresses.length === 0) return '';
  return addresses.length > NAMED ? `${addresses.length} addresses ${what}` : `${addresses.join(', ')} ${what}`;
}
