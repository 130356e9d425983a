import type { Parsed } from './units.js';
import { accept, refuse } from './units.js';

/** An IP address as an unsigned integer of 32 or 128 bits. */
export interface Ip {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

/** A host and a port as written: `10.0.0.1:80`, `[2001:db8::1]:80`, `svc.example.test:80`. */
export interface HostPort {
  /** Without brackets; IP addresses in canonical form. */
  readonly host: string;
  /** undefined: `host` is a name. */
  readonly ip: Ip | undefined;
  readonly port: number;
}

/** @returns undefined unless `text` is an IPv4 or IPv6 address; `010.0.0.1` is none, zones (`%eth0`) are not hosts. */
export function parseIp(text: string): Ip | undefined {
  return text.includes(':') ? parseIpv6(text) : parseIpv4(text);
}

function parseIpv4(text: string): Ip | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) return undefined;
  let value = 0n;
  for (const part of parts) {
    if (!/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return undefined;
    value = (value << 8n) | BigInt(part);
  }
  return { bits: 32, value };
}

function parseIpv6(text: string): Ip | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const left = parseGroups(halves[0] ?? '', halves.length === 1);
  const right = parseGroups(halves[1] ?? '', true);
  if (left === undefined || right === undefined) return undefined;
  const missing = 8 - left.length - right.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const groups = [...left, ...Array<bigint>(missing).fill(0n), ...right];
  return { bits: 128, value: groups.reduce((value, group) => (value << 16n) | group, 0n) };
}

/** Groups of 16 bits; the last of the address may be an IPv4 address, which is two. */
function parseGroups(text: string, atEnd: boolean): bigint[] | undefined {
  if (text === '') return [];
  const groups: bigint[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    if (part.includes('.')) {
      const tail = atEnd && index === parts.length - 1 ? parseIpv4(part) : undefined;
      if (tail === undefined) return undefined;
      groups.push(tail.value >> 16n, tail.value & 0xffffn);
    } else {
      if (!/^[0-9a-fA-F]{1,4}$/.test(part)) return undefined;
      groups.push(BigInt(`0x${part}`));
    }
  }
  return groups;
}

/** Dotted quad, or RFC 5952: lower case, the longest run of two or more zero groups as `::`, mapped IPv4 dotted. */
export function formatIp(ip: Ip): string {
  if (ip.bits === 32) return [24n, 16n, 8n, 0n].map((shift) => String((ip.value >> shift) & 255n)).join('.');
  if (ip.value >> 32n === 0xffffn) return `::ffff:${formatIp({ bits: 32, value: ip.value & 0xffffffffn })}`;
  const groups = Array.from({ length: 8 }, (_, index) => Number((ip.value >> BigInt(112 - 16 * index)) & 0xffffn));
  let start = 0;
  let length = 0;
  for (let from = 0; from < 8; from++) {
    let end = from;
    while (end < 8 && groups[end] === 0) end++;
    if (end - from > length) [start, length] = [from, end - from];
  }
  const hex = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(':');
  return length < 2 ? hex(groups) : `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
}

/** As the proxy writes a host's address: `10.0.0.1:80`, `[2001:db8::1]:80`. */
export function formatHostPort(ip: Ip, port: number): string {
  return ip.bits === 32 ? `${formatIp(ip)}:${port}` : `[${formatIp(ip)}]:${port}`;
}

const HOST_PORT = /^(?:\[([^\]]*)\]|([^:[\]]*)):(\d+)$/;

/** `ip:port` or `name:port`; IPv6 addresses stand in brackets. */
export function parseHostPort(text: string): Parsed<HostPort> {
  const match = HOST_PORT.exec(text);
  const bare = parseIp(text);
  if (match === null) {
    if (bare !== undefined) return refuse(`"${text}" has no port: write ${formatHostPort(bare, 80)}`);
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

/** A block of addresses: `10.0.0.0/24`, `2001:db8::/32`. */
export interface Cidr {
  readonly ip: Ip;
  readonly prefix: number;
}

export function parseCidr(text: string): Cidr | undefined {
  const match = /^([^/]+)\/(\d{1,3})$/.exec(text);
  const ip = match === null ? undefined : parseIp(match[1] ?? '');
  const prefix = Number(match?.[2]);
  return ip === undefined || prefix > ip.bits ? undefined : { ip, prefix };
}

/** An IPv4 block holds no IPv6 address and the other way round. */
export function inCidr(cidr: Cidr, ip: Ip): boolean {
  if (cidr.ip.bits !== ip.bits) return false;
  const shift = BigInt(cidr.ip.bits - cidr.prefix);
  return cidr.ip.value >> shift === ip.value >> shift;
}

/** The address `steps` after `ip`; undefined past the last one of its family. */
export function ipAfter(ip: Ip, steps: number): Ip | undefined {
  const value = ip.value + BigInt(steps);
  return value >> BigInt(ip.bits) === 0n ? { bits: ip.bits, value } : undefined;
}

/** Canonical text of what a selector may name: `ip:port`, `ip` or CIDR (the block's first address). */
export function canonicalAddress(text: string): Parsed<string> {
  if (text.includes('/')) {
    const cidr = parseCidr(text);
    if (cidr === undefined) return refuse(`"${text}" is not a CIDR block: write it as 10.0.0.0/24 or 2001:db8::/32`);
    const shift = BigInt(cidr.ip.bits - cidr.prefix);
    return accept(`${formatIp({ bits: cidr.ip.bits, value: (cidr.ip.value >> shift) << shift })}/${cidr.prefix}`);
  }
  const ip = parseIp(text.replace(/^\[(.*)\]$/, '$1'));
  if (ip !== undefined) return accept(formatIp(ip));
  const hostPort = parseHostPort(text);
  if (!hostPort.ok) return hostPort;
  return hostPort.value.ip === undefined
    ? refuse(`"${text}" names no IP address: a selector's address is ip:port, ip or CIDR; for names use hostname`)
    : accept(formatHostPort(hostPort.value.ip, hostPort.value.port));
}
