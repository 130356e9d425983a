import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventQueue } from '../../src/core/event-queue.js';
import { Deadlines } from '../../src/simulation/deadlines.js';
import { Timers } from '../../src/simulation/timers.js';

describe('Deadlines', () => {
  it('expires exactly the requests that are still open, each at its time', () => {
    const request = fc.record({ gapUs: fc.integer({ min: 0, max: 30 }), takesUs: fc.integer({ min: 0, max: 60 }) });
    fc.assert(
      fc.property(fc.array(request, { maxLength: 200 }), (requests) => {
        const timeoutUs = 25;
        const queue = new EventQueue();
        const timers = new Timers(queue);
        let nowUs = 0;
        const doneAt: number[] = [];
        const expired = new Map<number, number>();
        const deadlines = new Deadlines(
          timeoutUs,
          timers,
          (slot) => nowUs < (doneAt[slot] as number) && !expired.has(slot),
          (slot) => expired.set(slot, nowUs),
        );
        const startedAt: number[] = [];
        let at = 0;
        for (const [slot, { gapUs, takesUs }] of requests.entries()) {
          at += gapUs;
          while (queue.nextUs <= at && queue.pop()) {
            nowUs = queue.timeUs;
            timers.fire(queue.payload);
          }
          nowUs = at;
          startedAt[slot] = at;
          doneAt[slot] = at + takesUs;
          deadlines.add(slot, slot, nowUs);
        }
        while (queue.pop()) {
          nowUs = queue.timeUs;
          timers.fire(queue.payload);
        }
        for (const [slot, { takesUs }] of requests.entries()) {
          // At the very instant the time-out comes first, but the answer had been due: 25 takes 25 is done.
          const due = takesUs > timeoutUs ? (startedAt[slot] as number) + timeoutUs : undefined;
          expect(expired.get(slot)).toBe(due);
        }
      }),
    );
  });
});
