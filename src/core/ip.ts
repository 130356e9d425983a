/** An IP address as its bytes: 4 or 16. */
export interface Ip {
  readonly version: 4 | 6;
  /** 2 (IPv4) or 8 (IPv6) groups of 16 bits. */
  readonly groups: readonly number[];
}

/** @returns undefined unless `text` is an address as `inet_pton` accepts it: no zone, no port, no leading zeros. */
export function parseIp(text: string): Ip | undefined {
  const version = text.includes(':') ? 6 : 4;
  const groups = version === 6 ? parseIpv6(text) : parseIpv4(text);
  return groups === undefined ? undefined : { version, groups };
}

const DOT = 46;
const ZERO = 48;
const NINE = 57;

/** Digit by digit: large files have ten thousands of addresses. */
function parseIpv4(text: string): number[] | undefined {
  const { length } = text;
  if (length < 7 || length > 15) return undefined;
  let value = 0;
  let octet = -1;
  let dots = 0;
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === DOT) {
      if (octet === -1) return undefined;
      value = value * 256 + octet;
      octet = -1;
      dots += 1;
    } else {
      // inet_pton rejects leading zeros.
      if (code < ZERO || code > NINE || octet === 0) return undefined;
      octet = octet === -1 ? code - ZERO : octet * 10 + code - ZERO;
      if (octet > 255) return undefined;
    }
  }
  return octet === -1 || dots !== 3 ? undefined : [value >>> 8, (value & 255) * 256 + octet];
}

function parseIpv6(text: string): number[] | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const head = parseGroups(halves[0] ?? '', halves.length === 1);
  const tail = halves.length === 2 ? parseGroups(halves[1] ?? '', true) : [];
  if (head === undefined || tail === undefined) return undefined;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1) return missing === 0 ? head : undefined;
  return missing < 1 ? undefined : [...head, ...new Array<number>(missing).fill(0), ...tail];
}

function parseGroups(text: string, last: boolean): number[] | undefined {
  if (text === '') return [];
  const parts = text.split(':');
  const groups: number[] = [];
  for (const [index, part] of parts.entries()) {
    if (last && index === parts.length - 1 && part.includes('.')) {
      const embedded = parseIpv4(part);
      if (embedded === undefined) return undefined;
      groups.push(...embedded);
    } else if (/^[\da-fA-F]{1,4}$/.test(part)) groups.push(parseInt(part, 16));
    else return undefined;
  }
  return groups;
}

/** Canonical text: dotted for IPv4; lower case, longest run of zeros as `::` for IPv6. Source: RFC 5952. */
export function formatIp({ version, groups }: Ip): string {
  if (version === 4) return dotted(groups);
  const run = longestZeroRun(groups);
  const mapped = run.start === 0 && (run.length === 6 || (run.length === 5 && groups[5] === 0xffff));
  if (mapped) return `${run.length === 6 ? '::' : '::ffff:'}${dotted(groups.slice(6))}`;
  const hex = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(':');
  if (run.length < 2) return hex(groups);
  return `${hex(groups.slice(0, run.start))}::${hex(groups.slice(run.start + run.length))}`;
}

const dotted = ([high = 0, low = 0]: readonly number[]): string =>
  `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;

function longestZeroRun(groups: readonly number[]): { readonly start: number; readonly length: number } {
  let best = { start: -1, length: 0 };
  let start = 0;
  for (let index = 0; index <= groups.length; index += 1) {
    if (groups[index] === 0) continue;
    if (index - start > best.length) best = { start, length: index - start };
    start = index + 1;
  }
  return best;
}

export const formatIpPort = (ip: Ip, port: number): string =>
  ip.version === 4 ? `${formatIp(ip)}:${port}` : `[${formatIp(ip)}]:${port}`;

export const withPort = (host: string, port: number | string): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

export type Cidr = Readonly<{ ip: Ip; prefix: number }>;

export function parseCidr(text: string): Cidr | undefined {
  const match = /^([^/]+)\/(\d{1,3})$/.exec(text);
  const ip = match === null ? undefined : parseIp(match[1] ?? '');
  const prefix = Number(match?.[2]);
  return ip === undefined || prefix > bitsOf(ip) ? undefined : { ip, prefix };
}

export function inCidr(cidr: Cidr, ip: Ip): boolean {
  if (cidr.ip.version !== ip.version) return false;
  const shift = BigInt(bitsOf(ip) - cidr.prefix);
  return valueOf(cidr.ip) >> shift === valueOf(ip) >> shift;
}

/** The address `steps` after `ip`; undefined past the last one of its family. */
export function ipAfter(ip: Ip, steps: number): Ip | undefined {
  const [high = 0, low = 0] = ip.groups;
  const sum = high * 0x10000 + low + steps;
  // Without numbers of any length, which take long a million times.
  if (ip.version === 4 && sum < 2 ** 32) return { version: 4, groups: [Math.floor(sum / 0x10000), sum % 0x10000] };
  const value = valueOf(ip) + BigInt(steps);
  return value >> BigInt(bitsOf(ip)) === 0n ? ipOfValue(value, ip.version) : undefined;
}

const bitsOf = (ip: Ip): number => (ip.version === 4 ? 32 : 128);
const valueOf = (ip: Ip): bigint => ip.groups.reduce((value, group) => (value << 16n) | BigInt(group), 0n);

function ipOfValue(value: bigint, version: 4 | 6): Ip {
  const count = version === 4 ? 2 : 8;
  const groups = Array.from({ length: count }, (_, index) =>
    Number((value >> BigInt(16 * (count - 1 - index))) & 0xffffn),
  );
  return { version, groups };
}

export function firstOf({ ip, prefix }: Cidr): Ip {
  const shift = BigInt(bitsOf(ip) - prefix);
  return ipOfValue((valueOf(ip) >> shift) << shift, ip.version);
}

export const portOf = (address: string): string => address.slice(address.lastIndexOf(':') + 1);

export function ipOf(address: string): string {
  const end = address.lastIndexOf(':');
  return address.startsWith('[') ? address.slice(1, end - 1) : address.slice(0, end);
}
