import type { HostResult } from '../../index.js';
import { TRUTHS } from '../../result/phases.js';
import type { HostTruth } from '../../result/run-result.js';

/** The values of {@link PhasePicture.health}. */
export const HEALTH_NAMES = ['absent', 'healthy', 'degraded', 'unhealthy'] as const;

/** What a host is, whatever the proxy believes. */
export type Truth = HostTruth | 'alive';

export const truthOf = (phase: { readonly truth: Uint8Array } | undefined, host: number): Truth =>
  TRUTHS[phase?.truth[host] ?? 0] ?? 'alive';

export interface HostPicture extends Readonly<Pick<HostResult, 'address' | 'priority' | 'weight' | 'share'>> {
  /** Name of its locality in reports. */
  readonly zone: string;
  /** At the end; an index into {@link HEALTH_NAMES}. */
  readonly health: number;
  /** NaN: there is no prediction. */
  readonly predicted: number;
}

export interface LocalityPicture {
  /** As {@link HostPicture.zone}. */
  readonly name: string;
  /** What of it tells it from the others, as selectors have it. */
  readonly parts: { readonly region?: string; readonly zone?: string; readonly sub_zone?: string };
}

export const kindOf = (parts: LocalityPicture['parts']): 'zone' | 'locality' =>
  Object.keys(parts).join() === 'zone' ? 'zone' : 'locality';
