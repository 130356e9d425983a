import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventKind, EventQueue } from '../../src/core/event-queue.js';
import { Deadlines } from '../../src/simulation/deadlines.js';
import { Timers } from '../../src/simulation/timers.js';

describe('Deadlines', () => {
  it('expires exactly the requests that are still open, each at its time', () => {
    const request = fc.record({
      gapUs: fc.integer({ min: 0, max: 30 }),
      takesUs: fc.integer({ min: 0, max: 60 }),
      timeoutUs: fc.constantFrom(5, 25),
    });
    fc.assert(
      fc.property(fc.array(request, { maxLength: 200 }), (requests) => {
        const queue = new EventQueue();
        const timers = new Timers(queue);
        let nowUs = 0;
        const expired = new Map<number, number>();
        const deadlines = new Deadlines(timers, (slot) => expired.set(slot, nowUs));
        const startedAt: number[] = [];
        const answers = new EventQueue();
        const runUntil = (untilUs: number): void => {
          // At the very instant the time-out comes first.
          while (Math.min(queue.nextUs, answers.nextUs) <= untilUs) {
            if (queue.nextUs <= answers.nextUs) {
              queue.pop();
              nowUs = queue.timeUs;
              timers.fire(queue.payload);
            } else {
              answers.pop();
              nowUs = answers.timeUs;
              deadlines.remove(answers.payload);
            }
          }
        };
        let at = 0;
        for (const [slot, { gapUs, takesUs, timeoutUs }] of requests.entries()) {
          at += gapUs;
          runUntil(at);
          nowUs = at;
          startedAt[slot] = at;
          deadlines.add(slot, timeoutUs, nowUs);
          answers.push(at + takesUs, EventKind.response, slot);
        }
        runUntil(1e9);
        for (const [slot, { takesUs, timeoutUs }] of requests.entries()) {
          const due = takesUs >= timeoutUs ? (startedAt[slot] as number) + timeoutUs : undefined;
          expect(expired.get(slot)).toBe(due);
        }
      }),
    );
  });

  it('holds one timer for each length and no more lines than lengths, however many requests come and go', () => {
    const queue = new EventQueue();
    const deadlines = new Deadlines(new Timers(queue), () => undefined);
    for (let request = 0; request < 10_000; request++) {
      deadlines.add(request % 7, 15_000_000, request);
      deadlines.remove(request % 7);
    }
    expect(queue.size).toBe(1);
  });
});
