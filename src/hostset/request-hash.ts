import { compareBytes } from '../core/byte-order.js';
import { xxhash64Chain } from '../hash/text-hashes.js';
import type { HashSource } from './lb-config.js';
import type { PickRequest } from './load-balancer.js';

export const KEY_HEADER = 'x-key';

/** What a request carries that can be hashed. */
export type Carried = Pick<PickRequest, 'headers' | 'key' | 'address'>;

/** A header of a request, its lines apart; undefined: it has none of this name. @param name lower case. */
export function headerOf({ headers, key }: Carried, name: string): string | undefined {
  if (headers !== undefined && Object.hasOwn(headers, name)) return headers[name];
  if (name === ':path') return '/';
  return name === KEY_HEADER && key !== '' ? key : undefined;
}

/** Makes the cookie of a source for a client that has none. @returns its value. */
export type MakeCookie = (source: HashSource) => string;

/**
 * The hash of a request by the sources that a route, a cluster or a policy names. Each that the request has is hashed with
 * xxHash64; the hash so far is rotated by one bit and XORed with the new one. Source: docs of
 * config.route.v3.RouteAction.HashPolicy.
 */
export class RequestHash {
  hi = 0;
  lo = 0;

  constructor(private readonly sources: readonly HashSource[]) {}

  /**
   * @param makeCookie absent: none is made.
   * @returns false where the request has none of the sources; else its hash is in `hi` and `lo`.
   */
  compute(request: Carried, makeCookie?: MakeCookie): boolean {
    let found = false;
    for (const source of this.sources) {
      const values = valuesOf(source, request, makeCookie);
      if (values !== undefined) {
        const { hi, lo } = xxhash64Chain(values);
        const [beforeHi, beforeLo] = found ? [this.hi, this.lo] : [0, 0];
        this.hi = (((beforeHi << 1) | (beforeLo >>> 31)) ^ hi) >>> 0;
        this.lo = (((beforeLo << 1) | (beforeHi >>> 31)) ^ lo) >>> 0;
        found = true;
      }
      // Whoever gave it.
      if (found && source.terminal) break;
    }
    return found;
  }
}

/** The texts that are hashed one after the other; undefined: the request has nothing of this source. */
function valuesOf(source: HashSource, request: Carried, makeCookie?: MakeCookie): readonly string[] | undefined {
  const { header, cookie, query, byAddress = false, rewrite } = source;
  const whole = header === undefined ? undefined : headerOf(request, header);
  if (byAddress) return some(request.address);
  if (cookie !== undefined) return some(cookieIn(whole ?? '', cookie) ?? (source.makes && makeCookie?.(source)));
  if (query !== undefined) return some(parameterIn(whole ?? '', query));
  const lines = whole?.split('\n').map((line) => rewrite?.regex.replaceAll(line, rewrite.substitution) ?? line);
  return lines?.sort(compareBytes);
}

const some = (value: string | undefined): readonly string[] | undefined => (value === undefined ? value : [value]);

/** The first of this name; an empty one is none. */
function cookieIn(lines: string, name: string): string | undefined {
  for (const pair of lines.split(/[;\n]/)) {
    const [key = '', ...rest] = pair.split('=');
    const value = rest.join('=').trim();
    if (rest.length > 0 && key.trim() === name) return value.replace(/^"(.*)"$/, '$1') || undefined;
  }
  return undefined;
}

/** As it is written: percent escapes stay. */
function parameterIn(path: string, name: string): string | undefined {
  const query = /^[^?#]*\?([^#]*)/.exec(path)?.[1];
  for (const pair of query?.split('&') ?? []) {
    const [key, ...rest] = pair.split('=');
    if (key === name) return rest.join('=');
  }
  return undefined;
}
