import { isCompared } from '../analysis/verify/judge.js';
import type { AskedProxy, Decisions } from '../analysis/verify/own-decisions.js';
import { isPlayed, type PlayedLife } from '../analysis/verify/played.js';
import { FORMAT, type Versioned } from '../core/document-format.js';
import { NoAnswer } from '../core/no-answer.js';
import { attempt } from '../core/values.js';

/** Where hosts answer, by their own addresses, and the loopback addresses of IPs that DNS finds. */
export type PlacesOfHosts = Readonly<Record<'places' | 'ips', Readonly<Record<string, string>>>>;

/** What real proxies did with a scenario, one after the other: lbsim can be compared with it where there is none. */
export interface Recording extends Versioned, PlacesOfHosts {
  readonly proxy_version: string;
  /** One proxy went through all situations. */
  readonly live: boolean;
  readonly proxies: readonly AskedProxy[];
  /** Its beginning in real time instead. */
  readonly played?: PlayedLife;
}

/** Also that a cluster is there, without a host. */
const isKept = ([name, count]: readonly [string, number]): boolean =>
  (count > 0 || name.endsWith('.membership_total')) &&
  (isCompared(name) || isPlayed(name)) &&
  name.startsWith('cluster.');

export const recordingText = (recording: Recording): string =>
  JSON.stringify(recording, (_, value: unknown) =>
    value instanceof Map ? Object.fromEntries([...(value as Decisions['stats'])].filter(isKept)) : value,
  );

/** @throws NoAnswer where it is none. */
export function readRecording(text: string): Recording {
  const revive = (name: string, value: object): unknown => (name === 'stats' ? new Map(Object.entries(value)) : value);
  const found = attempt(() => JSON.parse(text, revive) as Partial<Recording> | null, null);
  if (found?.format === FORMAT && found.places !== undefined && found.proxies !== undefined) return found as Recording;
  throw new NoAnswer('this is no recording that --record wrote');
}
