import type fc from 'fast-check';
import type { Host } from '../../host/host.js';
import type { HostSet } from '../../hostset/host-set.js';
import { plainCluster, story } from '../arbitraries.js';
import { demand, type LawOptions, search } from '../law.js';
import { storyScenario } from '../scenario-file.js';
import { type Pick, play, type Story } from '../story.js';
import { type BalancerUnderTest, demandSubject, placesByHash } from '../balancer-under-test.js';

/** Laws of single picks: each checks the picks of a balancer during a story. */

export function searchStories(
  law: string,
  subject: BalancerUnderTest,
  options: LawOptions | undefined,
  test: (story: Story) => void,
  { examples = story(), numRuns = 60 }: { readonly examples?: fc.Arbitrary<Story>; readonly numRuns?: number } = {},
): void {
  demandSubject(`the law "${law}"`, subject);
  search(options, {
    law,
    examples,
    test,
    scenario: (story, remarks) => storyScenario(subject, story, remarks),
    numRuns,
  });
}

/** The same seed, configuration and updates give the same picks, one by one. */
export function repeatsItself(subject: BalancerUnderTest, options?: LawOptions): void {
  const picks = (story: Story): string[] => {
    const seen: string[] = [];
    play(subject, story, {
      picked: ({ decision: { host, priority } }) => seen.push(`${host?.address ?? 'no host'} of priority ${priority}`),
    });
    return seen;
  };
  searchStories('repeats itself', subject, options, (story) => {
    const [first, second] = [picks(story), picks(story)];
    const at = first.findIndex((pick, index) => pick !== second[index]);
    demand(at < 0, () => `request ${at} went to ${first[at] ?? ''}, and in a second run to ${second[at] ?? ''}`);
  });
}

/** A pick is one of the hosts that the level holds now, never one that has left. */
export function picksPresentHosts(subject: BalancerUnderTest, options?: LawOptions): void {
  searchStories('picks hosts that are there', subject, options, (story) =>
    play(subject, story, {
      picked: (pick) => {
        const { host, priority } = pick.decision;
        if (host === undefined) return;
        demand(
          includes(pick.levels.get(priority)?.hosts, host),
          () => `${called(pick)} went to ${host.address}, which is not among the hosts of priority ${priority}`,
        );
      },
    }),
  );
}

/**
 * Outside of panic only healthy hosts are picked, or degraded ones where the level was drawn for them; hashing policies
 * never pick those. In panic all hosts may be picked.
 */
export function picksEligibleHosts(subject: BalancerUnderTest, options?: LawOptions): void {
  searchStories('picks eligible hosts', subject, options, (story) =>
    play(subject, story, {
      picked: (pick) => {
        const { host, priority, panic, degraded } = pick.decision;
        if (host === undefined || panic) return;
        demand(
          includes(eligibleHosts(subject, pick), host),
          () =>
            `${called(pick)} went to ${host.address}, which is ${host.health}, although priority ${priority} ` +
            `was drawn for its ${degraded ? 'degraded' : 'healthy'} hosts and is not in panic`,
        );
      },
    }),
  );
}

/** A host is found wherever the drawn level has an eligible one. */
export function findsEligibleHosts(subject: BalancerUnderTest, options?: LawOptions): void {
  const test = (story: Story): void => {
    const { failTrafficOnPanic } = story.cluster;
    play(subject, story, {
      picked: (pick) => {
        const { host, priority, panic } = pick.decision;
        const eligible = eligibleHosts(subject, pick)?.length ?? 0;
        const refused = panic && failTrafficOnPanic && !placesByHash(subject);
        demand(
          (host !== undefined) === (eligible > 0 && !refused),
          () =>
            `${called(pick)} went to ${host?.address ?? 'no host'}, where priority ${priority} ` +
            `${panic ? 'is in panic and ' : ''}has ${eligible} hosts to pick from${refused ? ', and fails its traffic in panic' : ''}`,
        );
      },
    });
  };
  // A chosen locality or zone may have no host of the drawn health, and no other is tried.
  searchStories('finds a host where there is one', subject, options, test, {
    examples: story({ cluster: plainCluster() }),
  });
}

/** The eligible hosts of a level in its state. */
function eligibleHosts(subject: BalancerUnderTest, { decision, levels }: Pick): readonly Host[] | undefined {
  const level: HostSet | undefined = levels.get(decision.priority);
  if (decision.panic) return level?.hosts;
  return decision.degraded && !placesByHash(subject) ? level?.degraded : level?.healthy;
}

function includes(hosts: readonly Host[] | undefined, host: Host): boolean {
  return hosts?.includes(host) === true;
}

function called({ number, step }: Pick): string {
  return `request ${number}, at ${step} s,`;
}
