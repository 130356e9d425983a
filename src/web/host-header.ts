import { isIP } from 'node:net';

/**
 * Whether a request is for this server, by its Host header. A foreign page can have its own name resolve to this machine,
 * but it cannot make a browser send an address, `localhost` or an allowed name.
 *
 * @param allowed further names, lower case.
 */
export function isOwnHost(header: string | undefined, allowed: ReadonlySet<string>): boolean {
  const match = /^(?:\[([\da-fA-F:.]+)\]|([^:[\]]+))(?::\d{1,5})?$/.exec(header ?? '');
  if (match === null) return false;
  const [, ipv6, name = ''] = match;
  if (ipv6 !== undefined) return isIP(ipv6) === 6;
  const host = name.toLowerCase().replace(/\.$/, '');
  return isIP(host) === 4 || host === 'localhost' || host.endsWith('.localhost') || allowed.has(host);
}
