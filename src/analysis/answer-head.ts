import { FORMAT, type ScenarioAnswer } from '../core/document-format.js';
import type { Scenario } from '../scenario/model.js';
import { inputOf } from '../scenario/origin.js';

export function answerHead(scenario: Scenario): ScenarioAnswer {
  return { format: FORMAT, scenario: scenario.name, ...inputOf(scenario) };
}
