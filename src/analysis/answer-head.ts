import { FORMAT, type ScenarioAnswer } from '../core/document-format.js';
import type { Scenario } from '../scenario/model.js';
import { inputOf } from '../scenario/origin.js';

/** What every answer about a scenario begins with. */
export function answerHead(scenario: Scenario): ScenarioAnswer {
  return { format: FORMAT, scenario: scenario.name, ...inputOf(scenario) };
}
