import type { Locality } from '../host/host.js';
import type { LocalityResult, Portion } from './generated/run-result.js';

export type * from './generated/run-result.js';

export const portion = (requests: number, of: number): Portion => ({ requests, share: of === 0 ? 0 : requests / of });

export function localityResult(locality: Locality): LocalityResult {
  return { region: locality.region, zone: locality.zone, sub_zone: locality.subZone };
}
