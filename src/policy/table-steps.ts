import type { DecisionStep } from './decision-trace.js';

/** The steps of a look-up in words. */

export function slotStep(slot: number, slots: number): DecisionStep {
  return {
    step: 'table',
    inputs: { slot, slots },
    rule: 'The hash modulo the number of slots is the slot.',
    outcome: `the hash mod ${slots} is slot ${slot}`,
  };
}

/** @param wrapped the hash lies after the last entry. */
export function ringStep(entry: number, entries: number, position: string, wrapped: boolean): DecisionStep {
  return {
    step: 'table',
    inputs: { entry, entries, position, wrapped },
    rule: 'The first entry of the ring at or after the hash; after the last one comes the first.',
    outcome: `entry ${entry} of ${entries} on the ring, at ${position}, is ${wrapped ? 'the first one: the circle closes' : 'the next at or after it'}`,
  };
}
