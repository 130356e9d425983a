import { demandSubject, type BalancerUnderTest, type LawOptions } from '../law.js';
import { drawTrial } from '../recorded/draw-trial.js';
import { playTrial } from '../recorded/play-trial.js';
import { RECORDS } from '../recorded/generated/records.js';
import type { Trial } from '../recorded/trial.js';
import { lbPolicyName } from '../../policy/registry.js';

/** A balancer decided otherwise than the policy that it replaces. */
export class DecisionDiffers extends Error {
  override readonly name = 'DecisionDiffers';

  constructor(
    readonly trial: number,
    /** The cluster, and all that happened to it up to that decision. */
    readonly upTo: Trial,
    reason: string,
  ) {
    super(
      `falsified: a balancer decides as recorded\n${reason}\nWhat had happened until then:\n\n${JSON.stringify(upTo, undefined, 1)}`,
    );
  }
}

/**
 * Bit by bit the decisions of the policy that the subject replaces, at its version: with the same draws each request goes to
 * the same host, of the same level, in panic or not. For balancers that claim to be the proxy's own, or one of our
 * extensions; others may be right and decide otherwise.
 *
 * What is compared was recorded: clusters with any settings (priorities, zones, weighted localities, subsets, slow start,
 * bounded loads, named hosts, load reports, aggregates, parts for each client) whose hosts come, go, change and answer. The
 * recordings are those of a release of this package that replays all that is recorded of real proxies.
 *
 * `numRuns`: how many trials; default all of them. Does not apply to policies that are not recorded.
 *
 * @throws DecisionDiffers for the first decision that differs.
 */
export function decidesAsRecorded(subject: BalancerUnderTest, { numRuns = Infinity }: LawOptions = {}): void {
  demandSubject('decidesAsRecorded', subject);
  const recorded = RECORDS[`${lbPolicyName(subject.lbPolicy)}/${subject.version}`] ?? [];
  recorded.slice(0, numRuns).forEach((picks, number) => {
    const trial = drawTrial(subject, number);
    let count = 0;
    playTrial(subject, trial, (pick, event) => {
      const expected = picks.slice(2 * count, 2 * count + 2);
      count++;
      if (pick === expected) return;
      const upTo = { ...trial, events: trial.events.slice(0, event + 1) };
      throw new DecisionDiffers(
        number,
        upTo,
        `trial ${number}, pick ${count}: ${inWords(pick, trial)}; recorded is ${inWords(expected, trial)}`,
      );
    });
  });
}

function inWords(pick: string, { hosts }: Trial): string {
  const [which = '', kind = ''] = pick;
  const host = which === '-' ? 'no host' : (hosts[parseInt(which, 36)]?.address ?? 'a host that it does not have');
  const state = parseInt(kind, 36);
  const level = Math.floor(state / 4) - 1;
  if (level < 0) return host;
  return `${host} of priority ${level}${state & 2 ? ' in panic' : ''}${state & 1 ? ', by its degraded hosts' : ''}`;
}
