import { csvReport } from '../../src/report/csv.js';
import { runJson } from '../../src/report/run/run-json.js';
import { PLAIN } from '../../src/report/layout.js';
import { predictionJson } from '../../src/report/prediction-json.js';
import { textReport } from '../../src/report/run/text-report.js';
import type { Prediction } from '../../src/words/results.js';
import type { RunResult } from '../../src/words/results.js';

/** Nobody waits longer for an answer, whatever was asked; on a busy machine this is much. */
export const STALL_MS = 5000;

/** @throws Error where a result, or what reports make of it, holds a number that is none or a share outside of 0–1. */
export function soundResult(result: RunResult): void {
  sound(result, 'result');
  soundJson(result, [...runJson(result)].join(''), 'result');
  soundText(textReport(result, { width: 80, bars: false, paint: PLAIN, all: false }));
  for (const row of csvReport(result)) soundText(row);
}

/** The same of a prediction. */
export function soundPrediction(prediction: Prediction): void {
  sound(prediction, 'prediction');
  soundJson(prediction, [...predictionJson(prediction)].join(''), 'prediction');
}

/** Every number is one, and every share a part of something. */
export function sound(value: unknown, path: string): void {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Error(`${path} is ${value}`);
    if (/share$/.test(path) && (value < 0 || value > 1)) throw new Error(`${path} is ${value}`);
  } else if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) sound(one, `${path}[${index}]`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, one] of Object.entries(value)) sound(one, `${path}.${key}`);
  }
}

/** JSON knows no NaN: it writes null, which stands only where the value says so. */
export function soundJson(value: unknown, json: string, path: string): void {
  sameNulls(value, JSON.parse(json), path);
}

function sameNulls(value: unknown, written: unknown, path: string): void {
  if (written === null && value !== null)
    throw new Error(`${path} is ${typeof value === 'number' ? value : typeof value}, and null in JSON`);
  if (typeof value !== 'object' || value === null || typeof written !== 'object' || written === null) return;
  for (const [key, one] of Object.entries(value)) {
    if (one !== undefined) sameNulls(one, (written as Readonly<Record<string, unknown>>)[key], `${path}.${key}`);
  }
}

/** Names may say NaN; what has a unit is a number. */
function soundText(text: string): void {
  const found = /(?:NaN|Infinity) (?:%|ms\b)/.exec(text);
  if (found !== null) throw new Error(`a report says ${found[0]}: ${text.slice(0, 200)}`);
}

/** @returns what to tell of a task that has taken more than {@link STALL_MS} of CPU since `before`; undefined: it has not. */
export function stallSince(before: NodeJS.CpuUsage, stallMs = STALL_MS): string | undefined {
  const { user, system } = process.cpuUsage(before);
  const ms = Math.round((user + system) / 1000);
  return ms > stallMs ? `${ms} ms of CPU` : undefined;
}
