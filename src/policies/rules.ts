import { type Check, type Fields, listOf, madeBy, must, oneOf, withFunctions, withMembers } from '../core/arguments.js';
import type { Clock, Runtime } from '../core/environment.js';
import { Host } from '../host/host.js';
import { MODERN_PROXY_VERSION, PROXY_VERSIONS, type ProxyVersion } from '../core/version.js';

/** The version and the environment of a policy, with defaults. */
export interface Rules {
  /** Default: the latest that is known, 1.40. */
  readonly version?: ProxyVersion;
  /** Runtime values. Default: none. */
  readonly runtime?: Runtime;
  /** Default: a clock that stays at 0. */
  readonly clock?: Clock;
}

export const IS_LEVEL = madeBy('level', 'hosts', 'priority');

export const RULES: Fields<Rules> = {
  version: oneOf(PROXY_VERSIONS),
  runtime: withFunctions('number'),
  clock: withMembers('an object with nowUs', 'nowUs'),
};

/** A source of draws. */
export const SOURCE: Check = withFunctions('next');
const HOST = must('a Host', (value) => value instanceof Host);
export const HOSTS = listOf(HOST, 'a list of Hosts');

const NO_RUNTIME: Runtime = { number: () => undefined };
const STANDING_CLOCK: Clock = { nowUs: 0 };

/** With the defaults filled in. */
export function rulesOf({ version, runtime, clock }: Rules): Required<Rules> {
  return { version: version ?? MODERN_PROXY_VERSION, runtime: runtime ?? NO_RUNTIME, clock: clock ?? STANDING_CLOCK };
}
