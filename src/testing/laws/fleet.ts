import fc from 'fast-check';
import type { LoadBalancer } from '../../hostset/load-balancer.js';
import { emptyDecision, emptyPickRequest } from '../../hostset/load-balancer.js';
import { RandomStreams } from '../../random/streams.js';
import { hosts as someHosts } from '../arbitraries.js';
import { chanceBound } from '../chance.js';
import type { LawOptions } from '../law.js';
import { demand, search } from '../law.js';
import { clusterLines, document, endpointLines, proxyValue, steadyWorkload } from '../scenario-file.js';
import type { StoryCluster, StoryHost } from '../story.js';
import { balancerStream, configOf, environmentOf, NODE_ZONE, PROXY, StoryDiscovery } from '../story.js';
import type { BalancerUnderTest } from '../balancer-under-test.js';
import { placesByHash } from '../balancer-under-test.js';
import { healthyHost } from './situation.js';

/** Laws of a fleet: how the balancers of several proxies and workers must agree, and where they must differ. */

const WORKERS = 1000;

/**
 * Workers and proxies start differently: of many balancers with the same equal hosts and independent random draws, equally
 * many start with each host. A policy that always begins with the first one floods it whenever a fleet starts, or gets a
 * new list. 1,000 balancers show 60 % too much on one of four hosts.
 */
export function startsApart(subject: BalancerUnderTest, options?: LawOptions): void {
  const law = 'starts apart from its equals';
  const hosts = fc
    .integer({ min: 2, max: 6 })
    .map((count) => Array.from({ length: count }, (_, index) => healthyHost(index)));
  search(
    {
      law,
      examples: fc.record({ hosts, seed: fc.nat(9999) }),
      test: (example) => {
        const counts = firstPicks(subject, example);
        const share = 1 / example.hosts.length;
        for (const { address } of example.hosts) {
          const count = counts.get(address) ?? 0;
          demand(
            Math.abs(count - WORKERS * share) <= chanceBound(WORKERS, share),
            () => `${count} of ${WORKERS} balancers begin with ${address}, one of ${example.hosts.length} equal hosts`,
          );
        }
      },
      scenario: (fleet, header) => fleetScenario(subject, fleet, 10, { header, description: law }),
      numRuns: 10,
      seed: 5,
    },
    options,
  );
}

const HASHES = 32;

/**
 * Proxies and workers agree on the host of a hash: balancers with the same hosts and independent random draws look up the
 * same host for every hash. Does not apply to policies without hashing.
 */
export function agreesAcrossProxies(subject: BalancerUnderTest, options?: LawOptions): void {
  if (!placesByHash(subject)) return;
  const law = 'agrees with its equals on the host of a hash';
  search<Fleet>(
    {
      law,
      examples: fc.record({ hosts: someHosts(), seed: fc.nat(9999) }),
      test: (fleet) => {
        const [one, other] = [0, 1].map((proxy) => balancerOf(subject, fleet, proxy)) as [LoadBalancer, LoadBalancer];
        const hashes = new RandomStreams(String(fleet.seed)).stream('hashes');
        for (let count = 0; count < HASHES; count++) {
          hashes.next();
          const [here, there] = [one, other].map((balancer) => ownerOf(balancer, hashes.hi, hashes.lo));
          demand(here === there, () => `a hash leads to ${here ?? ''} in one proxy, and to ${there ?? ''} in another`);
        }
      },
      scenario: (fleet, header) => fleetScenario(subject, fleet, 2, { header, description: law }),
      numRuns: 40,
    },
    options,
  );
}

function ownerOf(balancer: LoadBalancer, hashHi: number, hashLo: number): string {
  const decision = emptyDecision();
  const unused = new RandomStreams('0').stream('unused');
  balancer.choose({ ...emptyPickRequest(unused), hasHash: true, hashHi, hashLo }, decision);
  return decision.host?.address ?? 'no host';
}

interface Fleet {
  readonly hosts: readonly StoryHost[];
  readonly seed: number;
}

const STARTING: StoryCluster = { healthyPanicThreshold: 50, failTrafficOnPanic: false };

function firstPicks(subject: BalancerUnderTest, { hosts, seed }: Fleet): ReadonlyMap<string | undefined, number> {
  const counts = new Map<string | undefined, number>();
  const discovery = new StoryDiscovery({ cluster: STARTING, hosts }, subject.version, NODE_ZONE);
  const config = configOf(subject, STARTING);
  const decision = emptyDecision();
  for (let worker = 0; worker < WORKERS; worker++) {
    const random = balancerStream(seed, `${PROXY}-${worker}`);
    const balancer = subject.create(config, environmentOf(random, false));
    discovery.announce(balancer);
    balancer.choose(emptyPickRequest(random), decision);
    counts.set(decision.host?.address, (counts.get(decision.host?.address) ?? 0) + 1);
  }
  return counts;
}

function balancerOf(subject: BalancerUnderTest, { hosts, seed }: Fleet, proxy: number): LoadBalancer {
  const random = balancerStream(seed, `${PROXY}-${proxy}`);
  const balancer = subject.create(configOf(subject, STARTING), environmentOf(random, false));
  new StoryDiscovery({ cluster: STARTING, hosts }, subject.version, NODE_ZONE).announce(balancer);
  return balancer;
}

/** A request of each proxy. */
function fleetScenario(
  subject: BalancerUnderTest,
  { hosts, seed }: Fleet,
  proxies: number,
  remarks: { readonly header: readonly string[]; readonly description: string },
): string {
  return document(remarks, {
    seed,
    proxies: Array.from({ length: proxies }, (_, index) => ({
      value: proxyValue(`${PROXY}-${index}`, NODE_ZONE, subject, false, 1 / proxies),
    })),
    clusters: clusterLines(subject, STARTING, hosts),
    endpoints: endpointLines(STARTING, hosts),
    workloads: [steadyWorkload(proxies)],
  });
}
