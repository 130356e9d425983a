import type { ExplainNote } from '../analysis/explain/generated/explanation.js';
import type { NoSplit } from '../analysis/prove/generated/findings.js';
import type { LossFact } from '../analysis/prove/generated/findings.js';
import { listed } from '../core/words.js';
import type { VerdictObstacle } from '../predict/judge-expectations.js';
import { PLAIN_OBSTACLES } from '../predict/generated/plain-obstacles.js';
import { fill, SENTENCES } from './fill.js';

const OBSTACLES = { ...PLAIN_OBSTACLES, ...SENTENCES.obstacles };

export const obstacleText = (fact: VerdictObstacle | NoSplit): string => fill(OBSTACLES[fact.kind], fact);

/** Why losses cannot be judged. @param cluster that it is about; undefined: it is said already, or none. */
export function noSplitText(fact: NoSplit, cluster?: string): string {
  const text = obstacleText(fact);
  return cluster === undefined ? text : `${cluster}: ${text}`;
}

export function lossText(fact: LossFact): string {
  const why = fact.kind === 'not_searched' ? obstacleText(fact.why) : undefined;
  return `${listed(fact.clusters)}: ${fill(SENTENCES.losses[fact.kind], { ...fact, why })}`;
}

export const assumptionText = (fact: ExplainNote): string => fill(SENTENCES.assumptions[fact.kind], fact);
