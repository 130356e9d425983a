import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ProxyVersion } from '../../src/core/version.js';
import { PROXY_VERSIONS } from '../../src/core/version.js';
import { EXTENSIONS } from '../../src/policy/extensions.js';
import { type LbPolicy, lbPolicyName } from '../../src/policy/registry.js';
import { createLoadBalancer } from '../../src/hostset/create-load-balancer.js';
import { leastRequest } from '../../src/policy/least-request.js';
import { roundRobin } from '../../src/policy/round-robin.js';
import { ScriptedRandom } from '../../src/random/random64.js';
import type { BalancerUnderTest, PolicySettings } from '../../src/testing/index.js';
import { builtInPolicy, decidesAsRecorded, DecisionDiffers, listPolicyUnderTest } from '../../src/testing/index.js';
import { drawTrial, LONG_TRIALS, SHORT_TRIALS } from '../../src/testing/recorded/draw-trial.js';
import { playTrial } from '../../src/testing/recorded/play-trial.js';
import { changed, withHosts } from '../support/balancing.js';

/** The picks of a trial as they are recorded. */
function recordTrial(subject: BalancerUnderTest, number: number): string {
  let picks = '';
  playTrial(subject, drawTrial(subject, number), (pick) => (picks += pick));
  return picks;
}

const OLD: readonly LbPolicy[] = ['ROUND_ROBIN', 'LEAST_REQUEST', 'RANDOM', 'RING_HASH', 'MAGLEV'];
const NEW = ['CLIENT_SIDE_WEIGHTED_ROUND_ROBIN', ...Object.keys(EXTENSIONS)] as readonly LbPolicy[];

function* subjects(): Generator<readonly [LbPolicy, ProxyVersion]> {
  for (const policy of OLD) for (const version of PROXY_VERSIONS) yield [policy, version];
  for (const policy of NEW) yield [policy, '1.40'];
}

function recorded([policy, version]: readonly [LbPolicy, ProxyVersion]): readonly [string, readonly string[]] {
  const subject = builtInPolicy(policy, version);
  const trials = Array.from({ length: SHORT_TRIALS + LONG_TRIALS }, (_, number) => recordTrial(subject, number));
  return [`${lbPolicyName(policy)}/${version}`, trials];
}

describe('the recordings of our policies', () => {
  it('are what they decide', async () => {
    const text = `${JSON.stringify(Object.fromEntries([...subjects()].map(recorded)), undefined, 1)}\n`;
    await expect(text).toMatchFileSnapshot(join(import.meta.dirname, '../../src/testing/recorded/records.json'));
  });
});

const MODERN = '1.40';

function hearing(lbPolicy: LbPolicy, change: (policy: PolicySettings) => PolicySettings) {
  const subject: BalancerUnderTest = {
    ...builtInPolicy(lbPolicy, MODERN),
    create: (config, env) => createLoadBalancer(change(config), env),
  };
  return subject;
}

function without(policy: PolicySettings, kind: PolicySettings['kind']): PolicySettings {
  return changed(policy, (part) => (part.kind === kind && part.kind !== 'hosts' ? part.inner : part));
}

describe('decides as recorded', () => {
  it('holds for policies that are plugged in', () => {
    decidesAsRecorded(listPolicyUnderTest(roundRobin, { lbPolicy: 'ROUND_ROBIN', version: MODERN }));
    decidesAsRecorded(listPolicyUnderTest(leastRequest, { lbPolicy: 'LEAST_REQUEST', version: MODERN }));
  });

  it.each<[string, BalancerUnderTest]>([
    [
      'starts every rotation with the first host',
      listPolicyUnderTest(
        { ...roundRobin, start: (config) => roundRobin.start(config, new ScriptedRandom([{ hi: 0, lo: 0 }])) },
        { lbPolicy: 'ROUND_ROBIN', version: MODERN },
      ),
    ],
    [
      'takes one draw more',
      listPolicyUnderTest(
        {
          ...leastRequest,
          choose: (state, source, hosts, input) => {
            input.random.next();
            return leastRequest.choose(state, source, hosts, input);
          },
        },
        { lbPolicy: 'LEAST_REQUEST', version: MODERN },
      ),
    ],
    ['does not hear which hosts requests name', hearing('ROUND_ROBIN', (policy) => without(policy, 'override_host'))],
    ['uses the hosts of all clients', hearing('RANDOM', (policy) => without(policy, 'client_subset'))],
    [
      'does not know hashes of its own',
      hearing('MAGLEV', (policy) =>
        withHosts(policy, ({ consistentHashing }) => ({
          consistentHashing: { ...consistentHashing, hashSources: undefined },
        })),
      ),
    ],
    [
      'bounds no load',
      hearing('RING_HASH', (policy) =>
        withHosts(policy, ({ consistentHashing }) => ({
          consistentHashing: { ...consistentHashing, hashBalanceFactor: 0 },
        })),
      ),
    ],
    [
      'does not hear that weights follow reports',
      {
        ...builtInPolicy('CLIENT_SIDE_WEIGHTED_ROUND_ROBIN', MODERN),
        create: (config, env) => Object.assign(createLoadBalancer(config, env), { weightsChanged: undefined }),
      },
    ],
  ])('fails a balancer that %s', (_, wrong) => {
    expect(() => decidesAsRecorded(wrong)).toThrow(DecisionDiffers);
    expect(() => decidesAsRecorded(wrong)).toThrow(/^falsified: .*\ntrial \d+, pick \d+: .*; recorded is .*\n/);
  });

  it('asks only as many trials as it is told to', () => {
    decidesAsRecorded(builtInPolicy('RANDOM', MODERN), { numRuns: 0 });
  });
});
