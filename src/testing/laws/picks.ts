import fc from 'fast-check';
import type { Host } from '../../host/host.js';
import type { HostSet } from '../../hostset/host-set.js';
import { Decision } from '../../hostset/load-balancer.js';
import { begin, plainCluster, story, fail, play, type Pick, type Story, type BalancerUnderTest } from '../law.js';
import { storyLaw, placesByHash } from './situation.js';

/** The same seed, configuration and updates give the same picks, one by one, also while another balancer picks in between. */
export const repeatsItself = storyLaw('repeats itself', {
  examples: () => story(),
  test: (subject, example) => {
    const first = picksOf(subject, example);
    const { balancer, request } = begin(subject, { ...example, seed: example.seed + 1 });
    const second = picksOf(subject, example, () => balancer.choose(request, new Decision()));
    const at = first.findIndex((pick, index) => pick !== second[index]);
    if (at >= 0) fail(`request ${at} went to ${first[at] ?? ''}, and in a second run to ${second[at] ?? ''}`);
  },
});

function picksOf(subject: BalancerUnderTest, story: Story, between: () => void = () => undefined): readonly string[] {
  const seen: string[] = [];
  play(subject, story, {
    picked: ({ decision: { host, priority } }) => {
      seen.push(`${host?.address ?? 'no host'} of priority ${priority}`);
      between();
    },
  });
  return seen;
}

const ONE_LIST = { maxPriorities: 1, health: fc.constant('HEALTHY' as const) };

/** A pick is one of the hosts that the level holds now, never one that has left. */
export const picksPresentHosts = storyLaw('picks hosts that are there', {
  // Also few hosts of one list that come and go: what is remembered by place is soon beyond its end.
  examples: () => [
    story(),
    story({ cluster: plainCluster(), ...ONE_LIST, maxHosts: 4, maxRequests: 2, maxChanges: 90 }),
  ],
  numRuns: 150,
  picked: (_, __, pick) => {
    const { host, priority } = pick.decision;
    if (host === undefined) return;
    if (!includes(pick.levels.get(priority)?.hosts, host))
      fail(`${called(pick)} went to ${host.address}, which is not among the hosts of priority ${priority}`);
  },
});

/**
 * Outside of panic only healthy hosts are picked, or degraded ones where the level was drawn for them; hashing policies
 * never pick those. In panic all hosts may be picked.
 */
export const picksEligibleHosts = storyLaw('picks eligible hosts', {
  examples: () => story(),
  picked: (subject, _, pick) => {
    const { host, priority, panic, degraded } = pick.decision;
    if (host === undefined || panic) return;
    if (!includes(eligibleHosts(subject, pick), host))
      fail(
        `${called(pick)} went to ${host.address}, which is ${host.health}, although priority ${priority} ` +
          `was drawn for its ${degraded ? 'degraded' : 'healthy'} hosts and is not in panic`,
      );
  },
});

/** A host is found wherever the drawn level has an eligible one. */
export const findsEligibleHosts = storyLaw('finds a host where there is one', {
  // A chosen locality or zone may have no host of the drawn health, and no other is tried.
  examples: () => story({ cluster: plainCluster() }),
  picked: (subject, { cluster }, pick) => {
    const { host, priority, panic } = pick.decision;
    const eligible = eligibleHosts(subject, pick)?.length ?? 0;
    const refused = panic && cluster.failTrafficOnPanic && !placesByHash(subject);
    if ((host !== undefined) !== (eligible > 0 && !refused))
      fail(
        `${called(pick)} went to ${host?.address ?? 'no host'}, where priority ${priority} ` +
          `${panic ? 'is in panic and ' : ''}has ${eligible} hosts to pick from${refused ? ', and fails its traffic in panic' : ''}`,
      );
  },
});

function eligibleHosts(subject: BalancerUnderTest, { decision, levels }: Pick): readonly Host[] | undefined {
  const level: HostSet | undefined = levels.get(decision.priority);
  if (decision.panic) return level?.hosts;
  return decision.degraded && !placesByHash(subject) ? level?.degraded : level?.healthy;
}

const includes = (hosts: readonly Host[] | undefined, host: Host): boolean => hosts?.includes(host) === true;
const called = ({ number, step }: Pick): string => `request ${number}, at ${step} s,`;
