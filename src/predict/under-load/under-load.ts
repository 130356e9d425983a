import { entryOf } from '../../core/lists.js';
import type { Micros } from '../../core/units.js';
import type { Behavior } from '../../settings/behavior.js';
import type { KindOutcome } from '../request-outcome.js';
import type { Success } from '../success-totals.js';
import type { RequestKind } from '../traffic.js';
import type { AttemptChances, LoadedCluster } from './attempt-chances.js';
import { BusyLists } from './busy-lists.js';
import { successOf } from './request-success.js';
import { successOver } from './success-over.js';
import type { Obstacle } from '../obstacle.js';

export type SuccessInTime = (fromUs: Micros, toUs: Micros) => Success | Obstacle;

interface KindUnderLoad {
  /** Where they go at first, by a model where hosts are busy. */
  readonly outcome: KindOutcome;
  readonly success: () => SuccessInTime;
}

/**
 * Says how requests of a kind fare where hosts are busy, fail, or are tried again: by models, or that only a run can tell.
 * @param exact where they go at first, as far as rules alone tell.
 * @param busy  why rules do not: the policy looks at load; undefined: they do.
 */
export type UnderLoad = (kind: RequestKind, exact: KindOutcome, busy: Obstacle | undefined) => KindUnderLoad;

/** The one door of this folder: everything else in it is its own matter. */
export function underLoad(cluster: LoadedCluster): UnderLoad {
  const lists = new BusyLists(cluster);
  const known = new Map<RequestKind, WeakMap<Behavior, AttemptChances | Obstacle>>();
  return (kind, exact, busy) => ({
    outcome:
      busy !== undefined && typeof exact !== 'function' && exact.obstacle?.kind === 'under_load'
        ? lists.over(kind, busy)
        : exact,
    success: () => {
      const attempts = entryOf(known, kind, () => new WeakMap<Behavior, AttemptChances | Obstacle>());
      const found = successOf({ kind, cluster, exact, attempts, busy });
      return (fromUs, toUs) => successOver(found, kind, cluster, fromUs, toUs);
    },
  });
}
