import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventQueue } from '../../src/core/event-queue.js';

interface Scheduled {
  readonly timeUs: number;
  readonly kind: number;
  readonly order: number;
  readonly payload: number;
}

const scheduled = fc
  .array(
    fc.record({
      timeUs: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 1_000_000 })),
      kind: fc.integer({ min: 0, max: 7 }),
      order: fc.integer({ min: 0, max: 4095 }),
    }),
    { maxLength: 300 },
  )
  .map((events): Scheduled[] => events.map((event, payload) => ({ ...event, payload })));

/** The order that the queue promises, by the sort of the library. */
function sorted(events: readonly Scheduled[]): number[] {
  return [...events]
    .sort((a, b) => a.timeUs - b.timeUs || a.kind - b.kind || a.order - b.order || a.payload - b.payload)
    .map((event) => event.payload);
}

describe('EventQueue', () => {
  it('hands events out by time, kind, order and the order in which they came', () => {
    fc.assert(
      fc.property(scheduled, (events) => {
        const queue = new EventQueue<number>(6);
        for (const { timeUs, kind, order, payload } of events) queue.push(timeUs, kind, payload, order);
        const popped: number[] = [];
        while (queue.pop()) popped.push(queue.payload);
        expect(popped).toEqual(sorted(events));
      }),
    );
  });

  it('keeps that order when pushes and pops alternate', () => {
    fc.assert(
      fc.property(scheduled, scheduled, (first, second) => {
        const queue = new EventQueue<number>(6);
        for (const { timeUs, kind, order, payload } of first) queue.push(timeUs, kind, payload, order);
        const half = Math.floor(first.length / 2);
        const popped: number[] = [];
        for (let i = 0; i < half; i++) if (queue.pop()) popped.push(queue.payload);
        expect(popped).toEqual(sorted(first).slice(0, half));
        const rest = first.filter((event) => !popped.includes(event.payload));
        const late = second.map((event) => ({ ...event, payload: event.payload + 1000 }));
        for (const { timeUs, kind, order, payload } of late) queue.push(timeUs, kind, payload, order);
        const after: number[] = [];
        while (queue.pop()) after.push(queue.payload);
        expect(after).toEqual(sorted([...rest, ...late]));
      }),
    );
  });

  it('knows how many events there are, and when the next one is due', () => {
    fc.assert(
      fc.property(scheduled, (events) => {
        const queue = new EventQueue<number>(6);
        for (const { timeUs, kind, order, payload } of events) queue.push(timeUs, kind, payload, order);
        const times = events.map(({ timeUs }) => timeUs).sort((a, b) => a - b);
        for (const [index, timeUs] of times.entries()) {
          expect([queue.size, queue.nextUs]).toEqual([events.length - index, timeUs]);
          queue.pop();
        }
        expect([queue.size, queue.nextUs]).toEqual([0, Infinity]);
      }),
    );
  });

  it('tells time and kind of what it hands out, and the time of what comes next', () => {
    const queue = new EventQueue<number>(6);
    queue.push(20, 4, 1);
    queue.push(10, 6, 2, 3);
    expect(queue.nextUs).toBe(10);
    expect(queue.pop()).toBe(true);
    expect([queue.timeUs, queue.kind, queue.payload]).toEqual([10, 6, 2]);
    expect(queue.pop()).toBe(true);
    expect([queue.timeUs, queue.kind, queue.payload]).toEqual([20, 4, 1]);
    expect(queue.nextUs).toBe(Infinity);
    expect(queue.pop()).toBe(false);
  });
});
