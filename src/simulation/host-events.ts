import type { Host } from '../host/host.js';

/** More hosts than this are counted, not named. */
const NAMED = 3;

/** "10.0.0.1:80, 10.0.0.2:80", or "12 hosts". */
export function listedHosts(hosts: readonly Host[]): string {
  if (hosts.length > NAMED) return `${hosts.length} hosts`;
  return hosts.map(({ address }) => address).join(', ');
}
