import fc from 'fast-check';
import { COUNT, demand as demandArguments, fieldsOf, FUNCTION } from '../../core/arguments.js';
import { fail, search, document, steadyWorkload, CLUSTER, PROXY, type LawOptions, type Remarks } from '../law.js';
import { healthyHost, sortedBy } from './situation.js';

/**
 * Client-side subsetting: the hosts that one client of a fleet uses, alike, or each with the part of its room that the client
 * takes, above 0 and at most 1, as an aperture does.
 *
 * @param client 0 … clients − 1.
 * @param hosts addresses, each once, in the order in which this client heard of them.
 */
export type Subsetting = (
  client: number,
  clients: number,
  hosts: readonly string[],
) => readonly string[] | ReadonlyMap<string, number>;

export interface SubsettingPromise {
  /** A client has this many hosts or more; all of them where there are fewer. */
  readonly size: number;
  /** The loads of the most and of the least used host, in clients, differ by no more than this. Default 1. */
  readonly spread?: (clients: number, hosts: number) => number;
}

/** `order`: sort keys of the order in which another client hears of the hosts. */
type Fleet = Readonly<{ hosts: number; clients: number; order: readonly number[] }>;

const PROMISE = fieldsOf<SubsettingPromise>({ size: COUNT, spread: FUNCTION }, 'size');
const MOST_HOSTS = 24;

/**
 * Subsetting divides the fleet: each client gets at least as many different hosts as promised, the same ones in whatever
 * order it heard of them, and each host serves as many clients as any other, give or take the promised spread.
 *
 * Subsets drawn at random break the last: of 100 clients with 10 of 100 hosts each some host serves 2, and another 18.
 * Source: Beyer et al., "Site Reliability Engineering", O'Reilly 2016, chapter 20.
 */
export function dividesFleet(subsetting: Subsetting, promise: SubsettingPromise, options?: LawOptions): void {
  demandArguments('dividesFleet', ['subsetting', subsetting, FUNCTION], ['promise', promise, PROMISE]);
  const { size, spread = () => 1 } = promise;
  search<Fleet>(options, {
    law: 'divides the fleet by subsetting',
    examples: fc.record({
      hosts: fc.integer({ min: 1, max: MOST_HOSTS }),
      clients: fc.integer({ min: 1, max: 60 }),
      order: fc.array(fc.nat(99), { minLength: MOST_HOSTS, maxLength: MOST_HOSTS }),
    }),
    test: (fleet) => {
      const hosts = addressesOf(fleet);
      const other = sortedBy(hosts, fleet.order);
      const loads = new Map(hosts.map((host) => [host, 0]));
      for (let client = 0; client < fleet.clients; client++) {
        const own = partsOf(subsetting(client, fleet.clients, hosts));
        const used = own.map(([host]) => host);
        const called = `client ${client} of ${fleet.clients} uses ${used.join(', ')}`;
        const stranger = used.find((host) => !loads.has(host));
        if (stranger !== undefined) fail(`${called}: ${stranger} is none of the hosts`);
        const wanted = Math.min(hosts.length, size);
        if (new Set(used).size !== used.length || used.length < wanted)
          fail(`${called}: ${wanted} different ones of ${hosts.length} hosts are promised`);
        const again = partsOf(subsetting(client, fleet.clients, other)).map(([host]) => host);
        if (sorted(used) !== sorted(again))
          fail(`${called}, and ${sorted(again)} where it hears of them as ${other.join(', ')}`);
        for (const [host, part] of own) loads.set(host, (loads.get(host) ?? 0) + part);
      }
      const ordered = [...loads].sort(([, a], [, b]) => a - b);
      const [[idlest = '', least = 0] = [], [busiest = '', most = 0] = []] = [ordered[0], ordered.at(-1)];
      const allowed = spread(fleet.clients, hosts.length);
      // A spread may be no number.
      if (!(most - least <= allowed + 1e-6)) {
        const text = (load: number): string => String(Math.round(load * 1000) / 1000);
        fail(
          `${busiest} serves ${text(most)} of ${fleet.clients} clients and ${idlest} ${text(least)}: ` +
            `a spread of ${allowed} is promised`,
        );
      }
    },
    scenario: (fleet, remarks) => scenarioOf(subsetting, fleet, remarks),
    numRuns: 100,
  });
}

const partsOf = (own: ReturnType<Subsetting>): readonly (readonly [host: string, part: number])[] =>
  own instanceof Map
    ? [...(own as ReadonlyMap<string, number>)]
    : [...(own as readonly string[])].map((host) => [host, 1]);

const addressesOf = ({ hosts }: Fleet): readonly string[] =>
  Array.from({ length: hosts }, (_, index) => healthyHost(index).address);

const sorted = (hosts: readonly string[]): string => [...hosts].sort().join(', ');

/** Clients whose subsets stand in the file. */
const SHOWN = 8;

/** The fleet without subsets, a request of each client; the subsets stand above it. */
function scenarioOf(subsetting: Subsetting, fleet: Fleet, remarks: Remarks): string {
  const addresses = addressesOf(fleet);
  const clients = Array.from({ length: Math.min(SHOWN, fleet.clients) }, (_, client) => client);
  const subsets = clients.map(
    (client) =>
      `client ${client}: ${partsOf(subsetting(client, fleet.clients, addresses))
        .map(([host]) => host)
        .join(', ')}`,
  );
  return document(
    { ...remarks, header: [...remarks.header, ...subsets] },
    {
      seed: 1,
      proxies: [{ name: PROXY, count: fleet.clients }],
      clusters: [{ name: CLUSTER, connect_timeout: '0.25s' }],
      endpoints: { [CLUSTER]: addresses.map((address) => ({ address })) },
      workloads: [steadyWorkload(fleet.clients)],
    },
  );
}
