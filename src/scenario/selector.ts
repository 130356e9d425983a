import { attempt, jsonText, type JsonValue, own, type Writable } from '../core/values.js';
import type { Selector } from '../settings/selector.js';
import { accept, type Parsed, refuse } from './fields/units.js';
import { firstOf, formatIp, formatIpPort, type Ip, parseCidr, parseIp } from '../core/ip.js';

const LEVELS = { zone: 'zone', region: 'region', sub_zone: 'subZone' };
const TEXT_PARTS = ['address', 'hostname', 'cluster', 'priority', ...Object.keys(LEVELS)];

/**
 * A selector in one word, as the command line takes it: `zone=a`, `10.0.0.3:80`, `priority=0`, `cluster=backend,zone=a`,
 * `metadata.version=2`; `*` is every host. Values of metadata are compared as text unless they are written as JSON.
 */
export function parseSelectorText(text: string): Parsed<Selector> {
  if (text === '*') return accept({});
  const selector: Writable<Selector> = {};
  for (const part of text.split(',')) {
    const split = part.indexOf('=');
    const [name, value] =
      split < 0 ? ['address', part.trim()] : [part.slice(0, split).trim(), part.slice(split + 1).trim()];
    if (value === '')
      return refuse(`"${text}" is not a selector: write zone=a, 10.0.0.3:80, priority=0 or cluster=NAME`);
    if (name.startsWith('metadata.')) {
      selector.metadata = { ...selector.metadata, [name.slice('metadata.'.length)]: jsonOrText(value) };
      continue;
    }
    const level = own(LEVELS, name);
    if (name === 'address') {
      const address = canonicalAddress(value);
      if (!address.ok) return address;
      selector.address = address.value;
    } else if (name === 'priority') {
      if (!/^\d{1,3}$/.test(value) || Number(value) > 127)
        return refuse(`"${value}" is not a priority: allowed are 0 to 127`);
      selector.priority = Number(value);
    } else if (name === 'hostname' || name === 'cluster') selector[name] = value;
    else if (level !== undefined) selector.locality = { ...selector.locality, [level]: value };
    else return refuse(`"${name}" is not a part of a selector: known are ${TEXT_PARTS.join(', ')} and metadata.KEY`);
  }
  return accept(selector);
}

/** Numbers, booleans and quoted strings are read as JSON; any other word is a string. */
const jsonOrText = (text: string): JsonValue => attempt(() => JSON.parse(text) as JsonValue, text);

/**
 * The selected hosts in words: "zone a", "10.0.0.3:80", "priority 0 of backend", "every host with version=2". Always a
 * singular, unless `every` says otherwise where {@link selectsHosts}.
 */
export function describeSelector(selector: Selector, every = 'every host'): string {
  const names: string[] = [];
  if (selector.address !== undefined) names.push(describeAddress(selector.address, every));
  if (selector.hostname !== undefined) names.push(selector.hostname);
  const { region, zone, subZone } = selector.locality ?? {};
  if (region !== undefined) names.push(`region ${region === '' ? '""' : region}`);
  if (zone !== undefined) names.push(`zone ${zone === '' ? '""' : zone}`);
  if (subZone !== undefined) names.push(`sub-zone ${subZone === '' ? '""' : subZone}`);
  if (selector.priority !== undefined) names.push(`priority ${selector.priority}`);
  const where = names.length === 0 ? every : names.join(', ');
  const cluster = selector.cluster === undefined ? '' : ` of ${selector.cluster}`;
  const metadata = Object.entries(selector.metadata ?? {}).map(([key, value]) => `${key}=${jsonText(value)}`);
  return `${where}${cluster}${metadata.length === 0 ? '' : ` with ${metadata.join(', ')}`}`;
}

/** It means hosts one by one, and no place, priority or single address. */
export function selectsHosts({ address, hostname, locality, priority }: Selector): boolean {
  if (address !== undefined) return address.includes('/');
  return hostname === undefined && locality === undefined && priority === undefined;
}

/** A small block by its first and last address, which is easier to read. */
function describeAddress(address: string, every: string): string {
  const [, network = '', length = ''] = /^(\d+\.\d+\.\d+\.\d+)\/(\d+)$/.exec(address) ?? [];
  if (length === '' || Number(length) < SPELLED_OUT) return address.includes('/') ? `${every} of ${address}` : address;
  const last = network.split('.').map(Number);
  last[3] = (last[3] ?? 0) + 2 ** (32 - Number(length)) - 1;
  return `${every} from ${network} to ${last.join('.')}`;
}

/** Blocks with at most this many free bits are written by their ends. */
const SPELLED_OUT = 27;

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
  if (bracketed !== undefined || /^[\d.]+$/.test(plain) || plain === '')
    return refuse(`"${text}" is not an address: "${bracketed ?? plain}" is not an IP address`);
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

/** What may be lost: these hosts, any so many zones, and any so many hosts or records beside them. */
export type LossSize = Readonly<{ zones: number; hosts: number; selectors: ReadonlyMap<string, Selector> }>;

/** Of `zone`, `2 zones`, `zone=a`, `3 hosts`, `2 records`, together. */
export function lossSizeOf(lose: readonly string[]): Parsed<LossSize> {
  let [zones, hosts] = [0, 0];
  const selectors = new Map<string, Selector>();
  for (const one of lose) {
    const [, number = '1', unit] = /^(?:(\d+)[ -])?(zone|host|record)s?$/.exec(one.replace(/^zone=\*$/, 'zone')) ?? [];
    if (unit === 'zone') zones += Number(number);
    else if (unit !== undefined) hosts += Number(number);
    else {
      const selector = parseSelectorText(one);
      if (!selector.ok) return refuse(`${selector.message}; or zone, 2 zones, 3 hosts, 2 records`);
      selectors.set(one, selector.value);
    }
  }
  return accept({ zones, hosts, selectors });
}
