import type { Clock, Runtime } from '../core/environment.js';
import type { ProxyVersion } from '../core/version.js';
import { MODERN_PROXY_VERSION } from '../core/version.js';

/** Whose behaviour holds, and what surrounds a policy, where nothing is said of it. */
export interface Rules {
  /** Default: the latest that is known, 1.40. */
  readonly version?: ProxyVersion;
  /** Values that an operator may change while it runs. Default: none. */
  readonly runtime?: Runtime;
  /** Default: a clock that stands at 0. */
  readonly clock?: Clock;
}

/** The proxy's defaults; a test holds them to its configuration. */
export const DEFAULTS = {
  minimumRingSize: 1024,
  maximumRingSize: 8_388_608,
  maglevTableSize: 65_537,
  choiceCount: 2,
  healthyPanicThreshold: 50,
  minClusterSize: 6,
  routingEnabled: 100,
  overprovisioningFactor: 140,
} as const;

const NO_RUNTIME: Runtime = { number: () => undefined };
const STANDING_CLOCK: Clock = { nowUs: 0 };

/** With the defaults filled in. */
export function rulesOf({ version, runtime, clock }: Rules): Required<Rules> {
  return {
    version: version ?? MODERN_PROXY_VERSION,
    runtime: runtime ?? NO_RUNTIME,
    clock: clock ?? STANDING_CLOCK,
  };
}
