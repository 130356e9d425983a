import type { FailureCause } from '../core/failure-cause.js';
import { NAMES } from '../core/generated/names.js';
import type { Micros } from '../core/units.js';
import type { Selector } from './selector.js';

/** A number that a run is asked for. */
export interface Measure {
  readonly subject: MeasureSubject;
  /** Half-open window of decision time; undefined: the whole run after warm-up. */
  readonly during: readonly [Micros, Micros] | undefined;
}

export type MeasureSubject =
  | { readonly kind: 'share'; readonly cluster: string; readonly hosts: Selector }
  | { readonly kind: 'no_host'; readonly cluster: string }
  /** Of the decisions of proxies with a place, those for a host in another one. */
  | { readonly kind: 'crosses_zones'; readonly cluster: string }
  /** Of the keys that came before the window and in it, those that ended up at another host. */
  | { readonly kind: 'moved_keys'; readonly cluster: string }
  | { readonly kind: 'stat'; readonly name: string }
  | { readonly kind: 'success_rate'; readonly cluster: string }
  /** Compared in seconds. */
  | { readonly kind: 'latency'; readonly cluster: string; readonly percentile: number }
  | { readonly kind: 'mean_latency'; readonly cluster: string }
  /** Attempts asked of the cluster. */
  | { readonly kind: 'requests'; readonly cluster: string }
  /** undefined: of any cause. */
  | { readonly kind: 'failures'; readonly cluster: string; readonly cause: FailureCause | undefined }
  /** Of a gauge its mean over time, of a counter what it grew by, per second. */
  | { readonly kind: 'mean_stat'; readonly name: string }
  /** Of the busiest host, in units of what it can take, over stretches of so long. */
  | { readonly kind: 'host_load'; readonly cluster: string; readonly overUs: Micros }
  /** Nothing may come of losing so much or less, as `zone`, `2 hosts`: proven, not measured. */
  | Readonly<{ kind: 'survives'; cluster: string; lose: readonly string[]; without: readonly Harm[] }>
  /** `request` counts arrivals, `cluster` is its, once it has come; null: no host was chosen. */
  | Readonly<{ kind: 'decision'; request: number; cluster?: string; host: string | null }>;

/** In which unit a measure is compared and reported: shares are percentages. */
export const MEASURE_UNITS = NAMES.measure_units satisfies Record<MeasureSubject['kind'], string>;

export type MeasureUnit = (typeof MEASURE_UNITS)[MeasureSubject['kind']];

/** What a loss can bring. `outside`: requests leave the proxies' zone. `limit`: more are open than circuit breakers admit. */
export const HARMS = ['panic', 'failures', 'overload', 'outside', 'limit'] as const;
export type Harm = (typeof HARMS)[number];

/** What nobody wants to come of a loss, unless said otherwise. */
export const GRAVE: readonly Harm[] = ['failures', 'overload'];
