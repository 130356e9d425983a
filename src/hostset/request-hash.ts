import { utf8 } from '../hash/bytes.js';
import { xxhash64 } from '../hash/text-hashes.js';
import type { HashSource } from './lb-config.js';
import type { PickRequest } from './load-balancer.js';

export const KEY_HEADER = 'x-key';

/** A header of a request; undefined: it has none of this name. @param name lower case. */
export function headerOf({ headers, key }: PickRequest, name: string): string | undefined {
  if (headers !== undefined && Object.hasOwn(headers, name)) return headers[name];
  return name === KEY_HEADER && key !== '' ? key : undefined;
}

/**
 * The hash of a request by the sources that a policy names itself. Each that the request has is hashed with xxHash64;
 * the hash so far is rotated by one bit and XORed with the new one. Source: docs of config.route.v3.RouteAction.HashPolicy.
 */
export class RequestHash {
  hi = 0;
  lo = 0;

  constructor(private readonly sources: readonly HashSource[]) {}

  /** @returns false where the request has none of the sources; else its hash is in `hi` and `lo`. */
  compute(request: PickRequest): boolean {
    let found = false;
    for (const { header, cookie, rewrite, terminal } of this.sources) {
      const whole = header === undefined ? undefined : headerOf(request, header);
      const part = cookie === undefined || whole === undefined ? whole : cookieIn(whole, cookie);
      const value = part === undefined ? part : (rewrite?.regex.replaceAll(part, rewrite.substitution) ?? part);
      if (value !== undefined) {
        const { hi, lo } = xxhash64(utf8(value));
        const [beforeHi, beforeLo] = found ? [this.hi, this.lo] : [0, 0];
        this.hi = (((beforeHi << 1) | (beforeLo >>> 31)) ^ hi) >>> 0;
        this.lo = (((beforeLo << 1) | (beforeHi >>> 31)) ^ lo) >>> 0;
        found = true;
      }
      if (found && terminal) break;
    }
    return found;
  }
}

function cookieIn(header: string, name: string): string | undefined {
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals !== -1 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return undefined;
}
