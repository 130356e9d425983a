import { only } from '../../core/values.js';
import type { Scenario } from '../../scenario/model.js';
import type { ObserveOptions } from '../generated/options.js';
import { type ExpectedCluster, expectedOf, withBalancers } from './expected.js';
import { NothingSeen, type Observation, observationOf } from './observe.js';
import { countsOf, type Seen } from './seen.js';

/** Looks at the counters of one proxy again and again, with one chance of a false alarm over all looks. */
export class Watch {
  /** What came between them is what is compared: the first, those after which something changed, the last. */
  private pages: readonly Seen[];
  private expected: ReadonlyMap<string, ExpectedCluster> | undefined;
  /** Of the last page. */
  found: Observation | undefined;

  /** @param about further pages, which count nothing, and tell what there is of workers. */
  constructor(
    private readonly scenario: Scenario,
    first: Seen,
    private readonly about: readonly Seen[],
    private readonly options: ObserveOptions,
  ) {
    // Counters that fall from the first page to the second tell of the proxy, not of pages in the wrong order.
    this.pages = [first, first];
  }

  /** Requests to the hosts that are compared. */
  get requests(): number {
    return Object.values(this.found?.clusters ?? {}).reduce((all, { requests }) => all + requests, 0);
  }

  /** Whether the page goes on from the last one; else the proxy began anew, and the page is left out. */
  async look(page: Seen, further: readonly Seen[] = []): Promise<boolean> {
    const { scenario, options } = this;
    const changes = countsOf(this.pages.slice(-1).concat(page)).facts;
    if (changes.some(({ kind }) => kind === 'swapped')) return false;
    this.pages = [...(changes.length > 0 ? this.pages : this.pages.slice(0, -1)), page];
    const counted = countsOf([...this.pages, ...this.about, ...further]);
    this.expected ??= await expectedOf(withBalancers(scenario, options, counted.workers), options.pause);
    const observation = observationOf(scenario, counted, { ...options, watched: true }, this.expected);
    // Before anything is sent there is none.
    this.found = await observation.catch(only(NothingSeen, () => this.found));
    return true;
  }
}
