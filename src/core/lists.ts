/** Lists of any length: a call that takes some 120,000 values as its arguments overflows the stack. */

export function addAll<Value>(into: Value[], values: Iterable<Value>): void {
  for (const value of values) into.push(value);
}

/** @param least where no value is larger. */
export function largest(values: Iterable<number>, least = -Infinity): number {
  let found = least;
  for (const value of values) if (value > found) found = value;
  return found;
}

/** @param most where no value is smaller. */
export function smallest(values: Iterable<number>, most = Infinity): number {
  let found = most;
  for (const value of values) if (value < found) found = value;
  return found;
}
