import type { Scenario } from '../scenario/model.js';
import type { LossSummary, MovedKeysResult } from './compare/comparison.js';
import { compareKeys } from './compare/moved-keys.js';
import { NO_PAUSE } from './pause.js';

const AT_START = [{ fromUs: 0, toUs: 1, began: [] }];

/** The part of all keys that moves between the tables of a cluster in two scenarios, at time 0. */
export async function movedBetween(
  before: Scenario,
  after: Scenario,
  cluster: string,
): Promise<MovedKeysResult | undefined> {
  const keys = await compareKeys(cluster, [{ scenario: before }, { scenario: after }], AT_START, { pause: NO_PAUSE });
  return keys?.between[0] ?? undefined;
}

/** The average part that moves when one host is lost, for a table at time 0. */
export async function movedByLosses(scenario: Scenario, cluster: string): Promise<LossSummary | undefined> {
  const options = { pause: NO_PAUSE, singleHostFailures: true };
  const keys = await compareKeys(cluster, [{ scenario }], AT_START, options);
  return keys?.single_host_failures?.[0] ?? undefined;
}
