import { ScenarioRun } from '../../../src/analysis/run/run-scenario.js';
import { compileKernel } from '../../../src/hash/kernel/kernel.js';
import type { RequestRecord } from '../../../src/result/request-record.js';
import type { RunResult } from '../../../src/result/run-result.js';
import type { Scenario } from '../../../src/scenario/model.js';
import type { OpenRequest } from '../../../src/simulation/servers/open-requests.js';

/** What one of our draws did. */
export interface Run {
  readonly checks: readonly { readonly tUs: number; readonly host: string }[];
  readonly requests: readonly RequestRecord[];
  /** Of each request, the host that was chosen last. */
  readonly chosen: ReadonlyMap<number, string | null>;
  /** Hosts that its attempts were sent to, by the number of the request. */
  readonly reached: ReadonlyMap<number, readonly string[]>;
  /** Hosts that its copies were sent to, by the number of the request. */
  readonly copies: ReadonlyMap<number, readonly string[]>;
  readonly result: RunResult;
}

type Hooks = ConstructorParameters<typeof ScenarioRun>[1];

/** Also says what is sent to hosts: a limit may reject what was chosen for one. */
class WatchedRun extends ScenarioRun {
  constructor(scenario: Scenario, hooks: Hooks, onSent: (request: OpenRequest, host: string) => void) {
    super(scenario, hooks, new Map());
    const { hosts } = this.router;
    const send = hosts.send.bind(hosts);
    hosts.send = (request, server, ...rest) => {
      onSent(request, server.address);
      return send(request, server, ...rest);
    };
  }
}

export async function run(scenario: Scenario): Promise<Run> {
  await compileKernel();
  const requests: RequestRecord[] = [];
  const copies = new Map<number, readonly string[]>();
  const reached = new Map<number, readonly string[]>();
  const chosen = new Map<number, string | null>();
  const checks: { readonly tUs: number; readonly host: string }[] = [];
  const simulation = new WatchedRun(
    scenario,
    {
      onRequest: (record) => requests.push(record),
      onCheck: (check) => checks.push(check),
      onDecision: ({ request, host }) => chosen.set(request, host),
    },
    ({ id, plan: { mirrorOf } }, host) => {
      const [sent, request] = mirrorOf === undefined ? [reached, id] : [copies, mirrorOf];
      sent.set(request, [...(sent.get(request) ?? []), host]);
    },
  );
  while (!simulation.advance(Infinity));
  requests.sort((a, b) => a.request - b.request);
  return { checks, chosen, reached, copies, requests, result: simulation.result() };
}
