import type { Struct } from '../core/json.js';
import type { Runtime } from '../hostset/load-balancer.js';

/** A guard, on by default: an assignment of the modern proxy passes no merge window. */
export const BATCH_UPDATES = 'envoy.reloadable_features.enable_batch_aware_update';

/** Runtime values of one proxy: flat keys, changed by the timeline. A null takes a value away. */
export class RuntimeValues implements Runtime {
  private values: Struct;

  constructor(values: Struct) {
    this.values = values;
  }

  set(values: Struct): void {
    this.values = { ...this.values, ...values };
  }

  /** A guard of the proxy that is on by default. */
  featureEnabled(key: string): boolean {
    const value = this.values[key];
    return !(value === false || value === 'false' || this.number(key) === 0);
  }

  /** Numbers, and text that is one; a boolean is no number. */
  number(key: string): number | undefined {
    const value = this.values[key];
    if (typeof value === 'number') return value;
    if (typeof value !== 'string' || value.trim() === '') return undefined;
    const number = Number(value);
    return Number.isNaN(number) ? undefined : number;
  }
}
