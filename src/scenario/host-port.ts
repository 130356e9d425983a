import { formatIp, formatIpPort, type Ip, parseIp } from '../core/ip.js';
import { accept, type Parsed, refuse } from './units.js';

/** Addresses as people write them: hosts with ports, CIDR blocks, runs of consecutive addresses. */
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

/** `10.0.0.1:80`, `[2001:db8::1]:80`, `backend.local:80`. */
export function withPort(host: string, port: number | string): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** A block of addresses: `10.0.0.0/24`, `2001:db8::/32`. */
export interface Cidr {
  readonly ip: Ip;
  readonly prefix: number;
}

export function parseCidr(text: string): Cidr | undefined {
  const match = /^([^/]+)\/(\d{1,3})$/.exec(text);
  const ip = match === null ? undefined : parseIp(match[1] ?? '');
  const prefix = Number(match?.[2]);
  return ip === undefined || prefix > bitsOf(ip) ? undefined : { ip, prefix };
}

/** An IPv4 block holds no IPv6 address and the other way round. */
export function inCidr(cidr: Cidr, ip: Ip): boolean {
  if (cidr.ip.version !== ip.version) return false;
  const shift = BigInt(bitsOf(ip) - cidr.prefix);
  return valueOf(cidr.ip) >> shift === valueOf(ip) >> shift;
}

/** The address `steps` after `ip`; undefined past the last one of its family. */
export function ipAfter(ip: Ip, steps: number): Ip | undefined {
  const value = valueOf(ip) + BigInt(steps);
  return value >> BigInt(bitsOf(ip)) === 0n ? ipOf(value, ip.version) : undefined;
}

function bitsOf(ip: Ip): number {
  return ip.version === 4 ? 32 : 128;
}

/** The address as one unsigned integer. */
function valueOf(ip: Ip): bigint {
  return ip.groups.reduce((value, group) => (value << 16n) | BigInt(group), 0n);
}

function ipOf(value: bigint, version: 4 | 6): Ip {
  const count = version === 4 ? 2 : 8;
  const groups = Array.from({ length: count }, (_, index) =>
    Number((value >> BigInt(16 * (count - 1 - index))) & 0xffffn),
  );
  return { version, groups };
}

/** Canonical text of what a selector may name: `ip:port`, `ip` or CIDR (the block's first address). */
export function canonicalAddress(text: string): Parsed<string> {
  if (text.includes('/')) {
    const cidr = parseCidr(text);
    if (cidr === undefined) return refuse(`"${text}" is not a CIDR block: write it as 10.0.0.0/24 or 2001:db8::/32`);
    const shift = BigInt(bitsOf(cidr.ip) - cidr.prefix);
    const first = ipOf((valueOf(cidr.ip) >> shift) << shift, cidr.ip.version);
    return accept(`${formatIp(first)}/${cidr.prefix}`);
  }
  const ip = parseIp(text.replace(/^\[(.*)\]$/, '$1'));
  if (ip !== undefined) return accept(formatIp(ip));
  const hostPort = parseHostPort(text);
  if (!hostPort.ok) return hostPort;
  return hostPort.value.ip === undefined
    ? refuse(`"${text}" names no IP address: a selector's address is ip:port, ip or CIDR; for names use hostname`)
    : accept(formatIpPort(hostPort.value.ip, hostPort.value.port));
}
