import type { ObservedSplit } from './compared.js';
import type { TimedCall } from './seen.js';

/** The longest time in which a host got nothing, of those that get too little, where chance does not make it. @param calls in order. */
export const quietTimesOf = ({ parts }: ObservedSplit, calls: readonly TimedCall[], falseAlarm: number) =>
  parts.flatMap(({ of, name: host, verdict, expected }) => {
    if (of !== 'host' || verdict !== 'fewer' || calls.length === 0) return [];
    const own = calls.flatMap((call, index) => (call.host === host ? index : []));
    let [from, to] = [-1, own[0] ?? calls.length];
    for (const [turn, start] of own.entries()) {
      const end = own[turn + 1] ?? calls.length;
      if (end - start > to - from) [from, to] = [start, end];
    }
    const others = to - from - 1;
    if (calls.length * (1 - expected) ** others > falseAlarm) return [];
    const [first = '', last = ''] = [calls[Math.max(from, 0)]?.at, (calls[to] ?? calls.at(-1))?.at];
    return [{ host, from: first, to: last, others }];
  });
