/** Runtime values of one proxy, read live. */
export interface Runtime {
  /** undefined where the key has no value, or none that is a number. */
  number(key: string): number | undefined;
  /** undefined where the key has no value, or none that is true or false. */
  flag?(key: string): boolean | undefined;
}

/** Virtual monotonic time, read live. */
export type Clock = Readonly<{ nowUs: number }>;

/** core.RuntimeDouble: the value under `runtimeKey` wins where it is defined. */
export type RuntimeDouble = Readonly<{ defaultValue: number; runtimeKey: string }>;

export const runtimeDouble = (runtime: Runtime, setting: RuntimeDouble): number =>
  runtime.number(setting.runtimeKey) ?? setting.defaultValue;

/** A runtime value read as an unsigned integer: fractions are truncated, a negative value counts as none. */
export function runtimeInteger(runtime: Runtime, key: string, otherwise: number): number {
  const value = runtime.number(key);
  return value === undefined || !(value >= 0) ? otherwise : Math.floor(value);
}

/** A feature guard: on or off where the runtime says so, as true and false or as a number. */
export function runtimeGuard(runtime: Runtime, key: string, otherwise = false): boolean {
  const flag = runtime.flag?.(key);
  if (flag !== undefined) return flag;
  const number = runtime.number(key);
  return number === undefined ? otherwise : number !== 0;
}
