import fc from 'fast-check';
import { demand as demandArguments, must } from '../../core/arguments.js';
import { sum } from '../../core/values.js';
import { Decision } from '../../hostset/load-balancer.js';
import { RandomStreams } from '../../random/streams.js';
import type { BalancerUnderTest, LawOptions, Situation } from '../law.js';
import { begin, demandSubject, fail, search, situationScenario } from '../law.js';
import { times } from './shares.js';
import { drawnHashes, healthyHost, pickOnce, PLAIN_CLUSTER } from './situation.js';

const CAPACITY = must('a number from 1', (value) => typeof value === 'number' && value >= 1);
const KEYS = 64;
const STEPS = 2000;

/**
 * Consistent hashing with bounded loads, as published: at every pick the host has at most ⌈c · mean⌉ requests, the new one
 * included, and a key stays with the host that it has while all are idle for as long as that has room. Requests of 64 keys
 * come and go. What the proxy does instead is held to {@link boundsLoads}.
 *
 * Source: Mirrokni, Thorup and Zadimoghaddam, "Consistent Hashing with Bounded Loads", SODA 2018.
 *
 * @param c the capacity of a host, in means.
 */
export function boundsEveryPick(subject: BalancerUnderTest, c: number, options?: LawOptions): void {
  demandSubject('boundsEveryPick', subject);
  demandArguments('boundsEveryPick', ['c', c, CAPACITY]);
  const hosts = fc.integer({ min: 2, max: 6 }).map((count) => times(count, (index) => healthyHost(index)));
  search<Situation>(options, {
    law: 'bounds the loads of hosts at every pick',
    examples: fc.record({ seed: fc.nat(9999), cluster: fc.constant(PLAIN_CLUSTER), hosts }),
    test: (example) => judge(subject, c, example),
    scenario: (example, remarks) => situationScenario(subject, example, STEPS, remarks),
    numRuns: 20,
  });
}

function judge(subject: BalancerUnderTest, c: number, example: Situation): void {
  const { balancer, discovery, request } = begin(subject, example);
  const { hosts } = discovery;
  const ends = new RandomStreams(String(example.seed)).stream('ends');
  const decision = new Decision();
  const keys = [...drawnHashes(example.seed, KEYS)].map(({ hi: hashHi, lo: hashLo }) => {
    const wanted = { ...request, hasHash: true, hashHi, hashLo };
    return { wanted, owner: pickOnce(balancer, wanted, decision) };
  });
  for (let step = 0; step < STEPS; step++) {
    const loads = hosts.map(({ activeRequests }) => activeRequests);
    const busy = hosts.find(({ activeRequests }) => activeRequests > 0 && ends.uniform() < 0.3);
    if (busy !== undefined && sum(loads) > 12 * ends.uniform()) {
      busy.activeRequests--;
      decision.listener?.answered?.(busy, 1000, 'success');
      continue;
    }
    // Some keys come more often than others.
    const { wanted = request, owner } = keys[Math.floor(KEYS * ends.uniform() ** 2)] ?? {};
    balancer.choose(wanted, decision);
    const { host } = decision;
    const room = (c * (sum(loads) + 1)) / hosts.length;
    // The product may be rounded either way.
    const [least, most] = [Math.ceil(room - 1e-9), Math.ceil(room + 1e-9)];
    const seen = `where hosts had ${loads.join(', ')} requests, and ${most} are the bound`;
    if (host === undefined || ++host.activeRequests > most)
      fail(`one more went to ${host?.address ?? 'no host'}, ${seen}`);
    if (owner !== undefined && owner !== host && owner.activeRequests < least)
      fail(`a key of ${owner.address}, which has room, went to ${host.address}, ${seen}`);
  }
}
