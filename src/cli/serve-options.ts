import { isIP } from 'node:net';
import { InvalidArgumentError } from 'commander';

/** What the server does after the run. */
export const AT_END = ['hold', 'exit', 'repeat'] as const;

export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(port <= 65_535)) throw new InvalidArgumentError('It is a whole number from 0 to 65535.');
  return port;
}

export function parseHost(text: string): string {
  if (text === 'localhost') return '127.0.0.1';
  const address = text.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) === 0) throw new InvalidArgumentError('It is an IP address of this machine, as 127.0.0.1 or ::1.');
  return address;
}

/** Allowed names in a Host header; the option may be repeated. */
export function gatherNames(name: string, names: readonly string[] = []): readonly string[] {
  if (!/^[\w.-]+$/.test(name)) throw new InvalidArgumentError('It is a host name without a port.');
  return [...names, name];
}
