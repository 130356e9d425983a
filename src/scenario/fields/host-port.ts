import { firstOf, formatIp, formatIpPort, type Ip, parseCidr, parseIp } from '../../core/ip.js';
import { accept, type Parsed, refuse } from './units.js';

/** Addresses as people write them: a host with its port. */
export interface HostPort {
  /** Without brackets; IP addresses in canonical form. */
  readonly host: string;
  /** undefined: `host` is a name. */
  readonly ip: Ip | undefined;
  readonly port: number;
}

const HOST_PORT = /^(?:\[([^\]]*)\]|([^:[\]]*)):(\d+)$/;

/** `ip:port` or `name:port`; IPv6 addresses stand in brackets. */
export function parseHostPort(text: string): Parsed<HostPort> {
  const match = HOST_PORT.exec(text);
  if (match === null) {
    const bare = parseIp(text);
    if (bare !== undefined) return refuse(`"${text}" has no port: write ${formatIpPort(bare, 80)}`);
    return refuse(`"${text}" is not an address: write ip:port, as 10.0.0.1:80 or [2001:db8::1]:80`);
  }
  const [, bracketed, plain = '', digits = ''] = match;
  const ip = parseIp(bracketed ?? plain);
  const port = Number(digits);
  if (port > 65535) return refuse(`port ${digits} is out of range: allowed are 0 to 65535`);
  if (ip !== undefined) return accept({ host: formatIp(ip), ip, port });
  if (bracketed !== undefined || /^[\d.]+$/.test(plain) || plain === '') {
    return refuse(`"${text}" is not an address: "${bracketed ?? plain}" is not an IP address`);
  }
  if (!/^[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_.])?$/.test(plain)) return refuse(`"${plain}" is not a host name`);
  return accept({ host: plain, ip: undefined, port });
}

/** Canonical text of what a selector may name: `ip:port`, `ip` or CIDR (the block's first address). */
export function canonicalAddress(text: string): Parsed<string> {
  if (text.includes('/')) {
    const cidr = parseCidr(text);
    if (cidr === undefined) return refuse(`"${text}" is not a CIDR block: write it as 10.0.0.0/24 or 2001:db8::/32`);
    return accept(`${formatIp(firstOf(cidr))}/${cidr.prefix}`);
  }
  const ip = parseIp(text.replace(/^\[(.*)\]$/, '$1'));
  if (ip !== undefined) return accept(formatIp(ip));
  const hostPort = parseHostPort(text);
  if (!hostPort.ok) return hostPort;
  return hostPort.value.ip === undefined
    ? refuse(`"${text}" names no IP address: a selector's address is ip:port, ip or CIDR; for names use hostname`)
    : accept(formatIpPort(hostPort.value.ip, hostPort.value.port));
}
