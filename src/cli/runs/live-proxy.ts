import { setTimeout as after } from 'node:timers/promises';
import type { ObserveOptions } from '../../analysis/generated/options.js';
import type { Observation } from '../../analysis/observe/observe.js';
import { readSeen, type Seen } from '../../analysis/observe/seen.js';
import { Watch } from '../../analysis/observe/watch.js';
import { count } from '../../report/format.js';
import type { Scenario } from '../../scenario/model.js';
import { longWork } from '../long-work.js';
import type { ObserveOptions as Given } from '../program/generated/commands.js';
import { InterruptedError, reasonOf, type Session, systemReason, UsageError } from '../session.js';

const REQUESTS = 5000;
/** Fewer may tell that a share is wrong, and hardly what it is. */
const ENOUGH = 1000;
/** Counters that tell causes apart. */
const EVENTS = 'stats?filter=lb_|upstream_rq_retry';
/** In milliseconds. */
const LOOK_EVERY = 1000;
const LOOK_EVERY_LEAST = 100;
const ANSWER_LIMIT = 10_000;
/** Looks at a proxy that gets nothing. */
const IDLE_LOOKS = 60;

/**
 * Looks at a proxy's admin page until what it counts tells that it does not do what the configuration says, or enough has
 * been seen; until the user interrupts, the proxy begins anew, or gets nothing any more.
 */
export function watchProxy(
  scenario: Scenario,
  given: string,
  { until = REQUESTS, every = LOOK_EVERY }: Pick<Given, 'until' | 'every'>,
  asked: ObserveOptions,
  session: Session,
): Promise<Observation> {
  const address = given.replace(/\/$/, '');
  return longWork('watching', session, async (_, { interrupt, progress }) => {
    const page = async (name: string): Promise<Seen> => {
      const [seen] = readSeen(address, await readPage(`${address}/${name}`));
      if (seen === undefined) throw new UsageError(`${address}/${name}: this is no page of a proxy`);
      return seen;
    };
    const about = [await page('server_info'), await page(EVENTS)];
    let latest = await page('clusters?format=json');
    const watch = new Watch(scenario, latest, about, asked);
    progress.note = () => `${count(watch.requests)} of ${count(until)} requests`;
    let [idle, before] = [0, 0];
    const most = (): number => (watch.found?.verdict === 'not_as_configured' ? Math.min(until, ENOUGH) : until);
    while (watch.requests < most() && idle < IDLE_LOOKS && !interrupt.happened) {
      await Promise.race([after(Math.max(every, LOOK_EVERY_LEAST)), interrupt.promise]);
      latest = await page('clusters?format=json');
      if (!(await watch.look(latest))) {
        await session.err.write(`lbsim: ${address}: the proxy began anew, which ends this\n`);
        break;
      }
      await progress.update(Math.min(1, watch.requests / until));
      idle = watch.requests > before ? 0 : idle + 1;
      before = watch.requests;
    }
    if (watch.found?.verdict === 'not_as_configured') await watch.look(latest, [await page(EVENTS)]);
    if (watch.found !== undefined) return watch.found;
    if (interrupt.happened) throw new InterruptedError();
    throw new UsageError(`${address}: nothing was sent to the hosts of the configuration`);
  });
}

async function readPage(address: string): Promise<string> {
  try {
    const answer = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(ANSWER_LIMIT) });
    if (answer.ok) return await answer.text();
    throw new UsageError(`${address}: the answer is ${answer.status}`);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    throw new UsageError(`${address}: ${systemReason(cause, 'receiver') ?? reasonOf(cause)}`);
  }
}
