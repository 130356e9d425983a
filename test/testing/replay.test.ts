import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LbPolicy } from '../../src/hostset/lb-config.js';
import { loadScenario } from '../../src/scenario/load.js';
import { runScenario } from '../../src/analysis/run/run-scenario.js';
import {
  builtInPolicy,
  play,
  type Story,
  story,
  storyScenario,
  subsetConfig,
  subsetMetadata,
} from '../../src/testing/index.js';
import { plainCluster } from '../../src/testing/arbitraries.js';

/**
 * What makes a printed scenario worth its name: `lbsim run` does with it, pick by pick, what the story did. It holds the
 * stories' own small discovery to the one of a run, too.
 */

const POLICIES: readonly LbPolicy[] = ['ROUND_ROBIN', 'LEAST_REQUEST', 'RANDOM', 'RING_HASH', 'MAGLEV'];

const withSubsets = story({
  cluster: fc.tuple(plainCluster(), subsetConfig()).map(([plain, subset]) => ({ ...plain, subset })),
  metadata: subsetMetadata(),
  metadataMatch: fc.option(subsetMetadata(), { nil: undefined }),
});

async function replayed(text: string): Promise<(string | null)[]> {
  const { scenario, problems } = loadScenario({ file: 'falsified.yaml', text });
  if (scenario === undefined) throw new Error(JSON.stringify(problems, null, 1));
  const picks: (string | null)[] = [];
  await runScenario(scenario, { onDecision: ({ host }) => picks.push(host) });
  return picks;
}

describe.each(['1.12', '1.17', '1.40'] as const)('a story at %s', (version) => {
  it.each(POLICIES)('gives the picks that its scenario gives, under %s', async (lbPolicy) => {
    const subject = builtInPolicy(lbPolicy, version);
    const same = async (told: Story): Promise<void> => {
      const picks: (string | null)[] = [];
      play(subject, told, { picked: ({ decision }) => picks.push(decision.host?.address ?? null) });
      const text = storyScenario(subject, told, { header: ['A story.'], description: 'a story' });
      expect(await replayed(text), text).toEqual(picks);
    };
    await fc.assert(fc.asyncProperty(story(), same), { seed: 11, numRuns: 20 });
    await fc.assert(fc.asyncProperty(withSubsets, same), { seed: 12, numRuns: 12 });
  });
});
