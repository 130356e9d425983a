import type { Runtime } from './environment.js';
import { type Struct, own } from './values.js';

/** Runtime values of one proxy: flat keys, changed by the timeline. A null removes a value. */
export class RuntimeValues implements Runtime {
  private values: Struct;

  constructor(values: Struct) {
    this.values = values;
  }

  set(values: Struct): void {
    this.values = { ...this.values, ...values };
  }

  snapshot(): Runtime {
    return new RuntimeValues(this.values);
  }

  /** Numbers, and texts of numbers; a boolean is no number, nor is what no double holds. */
  number(key: string): number | undefined {
    const value = own(this.values, key);
    if (typeof value === 'number') return value;
    if (typeof value !== 'string' || value.trim() === '') return undefined;
    const number = Number(value);
    return Number.isFinite(number) ? number : undefined;
  }

  flag(key: string): boolean | undefined {
    const value = own(this.values, key);
    if (value === true || value === 'true') return true;
    return value === false || value === 'false' ? false : undefined;
  }
}
