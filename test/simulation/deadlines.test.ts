import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventQueue } from '../../src/core/event-queue.js';
import { Deadline, Deadlines } from '../../src/simulation/deadlines.js';
import { EventKind, Timers } from '../../src/simulation/timers.js';

describe('Deadlines', () => {
  it('expires exactly the requests that are still open, each at its time', () => {
    const request = fc.record({
      gapUs: fc.integer({ min: 0, max: 30 }),
      takesUs: fc.integer({ min: 0, max: 60 }),
      timeoutUs: fc.constantFrom(5, 25),
    });
    fc.assert(
      fc.property(fc.array(request, { maxLength: 200 }), (requests) => {
        const queue = new EventQueue<EventKind>(EventKind.arrival);
        const timers = new Timers(queue);
        let nowUs = 0;
        const expired = new Map<number, number>();
        const deadlines = new Deadlines<number>(timers, (slot) => expired.set(slot, nowUs));
        const waiting = requests.map((_, slot) => new Deadline(slot));
        const startedAt: number[] = [];
        const answers = new EventQueue<EventKind>(EventKind.arrival);
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
              deadlines.remove(waiting[answers.payload] as Deadline<number>);
            }
          }
        };
        let at = 0;
        for (const [slot, { gapUs, takesUs, timeoutUs }] of requests.entries()) {
          at += gapUs;
          runUntil(at);
          nowUs = at;
          startedAt[slot] = at;
          deadlines.add(waiting[slot] as Deadline<number>, timeoutUs, nowUs);
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

  it('expires who stands first although somebody enters the line meanwhile', () => {
    const queue = new EventQueue<EventKind>(EventKind.arrival);
    const timers = new Timers(queue);
    const expired: string[] = [];
    const late = new Deadline('late');
    const deadlines = new Deadlines<string>(timers, (name) => {
      expired.push(`${name} at ${queue.timeUs}`);
      if (name === 'first') deadlines.add(late, 10, queue.timeUs);
    });
    deadlines.add(new Deadline('first'), 10, 0);
    deadlines.add(new Deadline('second'), 10, 3);
    while (queue.pop()) timers.fire(queue.payload);
    expect(expired).toEqual(['first at 10', 'second at 13', 'late at 20']);
  });

  it('holds one timer for each length and no more lines than lengths, however many requests come and go', () => {
    const queue = new EventQueue<EventKind>(EventKind.arrival);
    const deadlines = new Deadlines(new Timers(queue), () => undefined);
    const waiting = new Deadline(0);
    for (let request = 0; request < 10_000; request++) {
      deadlines.add(waiting, 15_000_000, request);
      deadlines.remove(waiting);
    }
    expect(queue.size).toBe(1);
  });
});
