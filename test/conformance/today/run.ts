import { createSimulation } from '../../../src/analysis/run/run-scenario.js';
import type { RequestRecord } from '../../../src/result/request-record.js';
import type { RunResult } from '../../../src/result/run-result.js';
import type { Scenario } from '../../../src/scenario/model.js';

/** What one of our draws did. */
export interface Run {
  readonly checks: readonly { readonly tUs: number; readonly host: string }[];
  readonly requests: readonly RequestRecord[];
  /** Of each request, the host that was chosen last. */
  readonly chosen: ReadonlyMap<number, string | null>;
  /** Hosts of its attempts, by the number of the request. */
  readonly reached: ReadonlyMap<number, readonly (string | null)[]>;
  /** Hosts of the copies, by the number of the request. */
  readonly copies: ReadonlyMap<number, readonly string[]>;
  readonly result: RunResult;
}

export async function run(scenario: Scenario): Promise<Run> {
  const requests: RequestRecord[] = [];
  const copies = new Map<number, readonly string[]>();
  const reached = new Map<number, readonly (string | null)[]>();
  const chosen = new Map<number, string | null>();
  const checks: { readonly tUs: number; readonly host: string }[] = [];
  const simulation = await createSimulation(scenario, {
    onRequest: (record) => requests.push(record),
    onCheck: (check) => checks.push(check),
    onDecision: ({ request, host, mirrored }) => {
      chosen.set(request, host);
      if (mirrored === true) copies.set(request, [...(copies.get(request) ?? []), host ?? 'nobody']);
      else reached.set(request, [...(reached.get(request) ?? []), host]);
    },
  });
  while (!simulation.advance(Infinity));
  requests.sort((a, b) => a.request - b.request);
  return { checks, chosen, reached, copies, requests, result: simulation.result() };
}
