import type { JsonValue } from '../../core/json-value.js';

/** `10.0.0.1:80`, `[::1]:80` or the path of a pipe as a core.Address. */
export function addressJson(text: string): Readonly<Record<string, JsonValue>> {
  const [, address, port] = /^(.*):(\d+)$/.exec(text) ?? [];
  if (address === undefined) return { pipe: { path: text } };
  return { socket_address: { address: address.replace(/^\[|\]$/g, ''), port_value: Number(port) } };
}
