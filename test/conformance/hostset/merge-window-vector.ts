import { MICROS_PER_MILLI } from '../../../src/core/units.js';
import type { ProxyVersion } from '../../../src/core/version.js';
import { ClusterManagerStats } from '../../../src/core/generated/counts.js';
import { MergeWindow } from '../../../src/upstream/merge-window.js';
import { Check } from '../check.js';
import type { Fields } from '../fields.js';
import { FormatError } from '../fields.js';
import type { CaseOutcome } from '../outcome.js';

interface Delivery {
  readonly at_ms: number;
  readonly priority: number;
  readonly added: number;
  readonly removed: number;
  readonly merged: boolean;
}

/** Replays one vector of `update_merge_window`: what is delivered at once, what waits, and for how long. */
export function runMergeWindowVector(vector: Fields, version: ProxyVersion): CaseOutcome {
  const check = new Check();
  const name = vector.string('name');
  vector.ignore('profiles', 'source', 'derived');
  const common = vector.object('config').object('common_lb_config');
  const windowUs = milliseconds(common.optionalString('update_merge_window') ?? '1s') * MICROS_PER_MILLI;
  common.end();

  const stats = new ClusterManagerStats();
  const merge = new MergeWindow(windowUs, stats, 0);
  const deliveries: Delivery[] = [];
  const timers = new Map<number, number>();

  const fireUntil = (nowUs: number): void => {
    for (const [priority, dueUs] of [...timers].sort((a, b) => a[1] - b[1])) {
      if (dueUs > nowUs) continue;
      timers.delete(priority);
      if (!merge.fire(priority, dueUs)) continue;
      deliveries.push({ at_ms: dueUs / MICROS_PER_MILLI, priority, added: 0, removed: 0, merged: true });
    }
  };

  for (const [index, step] of vector.objects('steps').entries()) {
    const where = `steps[${index}]`;
    const atMs = step.number('at_ms');
    const nowUs = atMs * MICROS_PER_MILLI;
    fireUntil(nowUs);
    const update = step.optionalObject('update');
    if (update !== undefined) {
      update.ignore('kind');
      const [priority, added, removed] = [update.number('priority'), update.number('added'), update.number('removed')];
      update.end();
      const wait = merge.update(priority, added === 0 && removed === 0, nowUs);
      if (wait === undefined) deliveries.push({ at_ms: atMs, priority, added, removed, merged: false });
      else if (wait.armed) timers.set(priority, wait.dueUs);
      const outcome = wait === undefined ? 'immediate' : 'scheduled';
      check.equal('delivery', outcome, step.string('expect'), `${where}: delivery`);
    }
    if (step.optionalBoolean('cluster_replaced') === true) merge.drop();
    for (const [statistic, expected] of step.optionalCounts('expect_stats') ?? []) {
      const property = statistic.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      if (!Object.hasOwn(stats, property)) throw new FormatError(`unknown statistic ${JSON.stringify(statistic)}`);
      const actual = stats[property as keyof typeof stats];
      check.equal(`stats: ${statistic}`, actual, expected, `${where}: ${statistic}`);
    }
    step.end();
  }
  check.equal('deliveries', deliveries, vector.list('expect_deliveries'));
  vector.end();
  return check.outcome(name, version);
}

/** A duration of protobuf's JSON mapping: `"3s"`, `"0.250s"`. */
function milliseconds(text: string): number {
  const seconds = /^(\d+(\.\d+)?)s$/.exec(text)?.[1];
  if (seconds === undefined) throw new FormatError(`${JSON.stringify(text)} is no duration`);
  return Math.round(Number(seconds) * 1000);
}
