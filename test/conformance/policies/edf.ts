import { type ProxyVersion, quirksOf } from '../../../src/core/version.js';
import type { EdfSchedule } from '../../../src/schedule/edf.js';
import { createByPicking, createWithPicks, peek, pick, queued } from '../../../src/schedule/edf.js';
import type { Check } from '../check.js';
import type { Fields } from '../fields.js';
import { asList, asNumber, asString, FormatError } from '../fields.js';
import { evaluate } from './formula.js';

function weightAt(weights: readonly number[], entry: number): number {
  return weights[entry] ?? 0;
}

/** Replays one vector of the schedule itself. */
export function replayEdf(vector: Fields, version: ProxyVersion, check: Check): void {
  const weights = weightsOf(vector);
  const rule = vector.optionalObject('rule');
  if (rule !== undefined) {
    for (const picks of rule.optionalNumbers('create_with_picks') ?? []) compareStarts(rule, weights, picks, check);
    if (rule.has('picks')) comparePicks(rule, weights, version, check);
    rule.end();
  }
  const ops = vector.optionalList('ops');
  if (ops !== undefined) replayOps(ops, scheduleOf(vector, weights), weights, check);
}

function weightsOf(vector: Fields): readonly number[] {
  const rule = vector.optionalObject('entries_rule');
  if (rule === undefined) return vector.numbers('entries');
  const formula = rule.string('weight');
  const weights = Array.from({ length: rule.number('count') }, (_, index) => evaluate(formula, { index }));
  rule.end();
  return weights;
}

function scheduleOf(vector: Fields, weights: readonly number[]): EdfSchedule {
  const picks = vector.optionalNumber('create_with_picks');
  return picks === undefined
    ? createByPicking(weights.length, weightAt, weights, 0)
    : createWithPicks(weights.length, weightAt, weights, picks);
}

/** Skipping picks must leave the schedule as taking them does: same order, deadlines within the tolerance. */
function compareStarts(rule: Fields, weights: readonly number[], picks: number, check: Check): void {
  if (rule.optionalBoolean('equals_add_then_pick') !== true) throw new FormatError('nothing to compare picks with');
  const tolerance = rule.number('deadline_tolerance');
  const skipped = queued(createWithPicks(weights.length, weightAt, weights, picks));
  const taken = queued(createByPicking(weights.length, weightAt, weights, picks));
  check.equal(
    'order',
    skipped.map(({ entry }) => entry),
    taken.map(({ entry }) => entry),
    `order after ${picks} picks`,
  );
  for (const [index, { deadline }] of skipped.entries()) {
    const expected = taken[index]?.deadline ?? NaN;
    check.that('deadlines', Math.abs(deadline - expected) <= tolerance, () => {
      return `deadline ${index} after ${picks} picks: ${deadline}, expected ${expected}`;
    });
  }
}

function comparePicks(rule: Fields, weights: readonly number[], version: ProxyVersion, check: Check): void {
  const peeks = rule.optionalBoolean('peek_before_each_pick_and_equal') === true;
  const schedule = quirksOf(version).schedulesFromSeed
    ? createWithPicks(weights.length, weightAt, weights, 0)
    : createByPicking(weights.length, weightAt, weights, 0);
  const counts = new Array<number>(weights.length).fill(0);
  for (let i = 0; i < rule.number('picks'); i++) {
    const peeked = peeks ? peek(schedule, weightAt, weights) : undefined;
    const entry = pick(schedule, weightAt, weights);
    counts[entry] = (counts[entry] ?? 0) + 1;
    if (peeks) check.equal('peeks', entry, peeked, `pick ${i}`);
  }
  const formula = rule.string('expect_count');
  check.equal(
    'counts',
    counts,
    weights.map((_, index) => evaluate(formula, { index })),
  );
}

/** Steps of [operation, expected entry]; null: nobody. */
function replayOps(ops: readonly unknown[], schedule: EdfSchedule, weights: readonly number[], check: Check): void {
  for (const [index, op] of ops.entries()) {
    const [name, expected] = asList(op, `ops[${index}]`);
    const act = operation(asString(name, `ops[${index}][0]`));
    const entry = act(schedule, weightAt, weights);
    const wanted = expected === null ? null : asNumber(expected, `ops[${index}][1]`);
    check.equal('picks', entry < 0 ? null : entry, wanted, `ops[${index}]`);
  }
}

function operation(name: string): typeof pick {
  if (name === 'pick') return pick;
  if (name === 'peek') return peek;
  throw new FormatError(`unknown operation ${JSON.stringify(name)}`);
}
