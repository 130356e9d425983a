import type { PickRequest } from './load-balancer.js';

/** The header that carries the key of a request. */
export const KEY_HEADER = 'x-key';

/** A header of a request; undefined: it has none of this name. @param name lower case. */
export function headerOf({ headers, key }: PickRequest, name: string): string | undefined {
  if (headers !== undefined && Object.hasOwn(headers, name)) return headers[name];
  return name === KEY_HEADER && key !== '' ? key : undefined;
}
