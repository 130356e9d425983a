import { areFewRows } from '../host/report-order.js';
import type { PhaseHostResult, PhaseResult } from './run-result.js';
import { demand, madeBy } from '../core/arguments.js';

/** Readers compare neighbouring phases: this many lists are kept. */
const KEPT = 4;

type Rows = () => Iterable<PhaseHostResult>;

const PHASE = madeBy("runScenario, one of a cluster's phases,", 'hosts');
const rowsOfPhase = new WeakMap<PhaseResult, Rows>();

/**
 * Iterates over the hosts of a phase. Hosts times phases are a million rows in a large run: readers of all of them use
 * this, which keeps none.
 */
export function hostsOf(phase: PhaseResult): Iterable<PhaseHostResult> {
  demand('hostsOf', ['phase', phase, PHASE]);
  return rowsOfPhase.get(phase)?.() ?? phase.hosts;
}

/** The phases of one cluster. Where their rows are not few, the lists of hosts are made on demand. */
export class PhaseHosts {
  private readonly made: { readonly phase: PhaseResult; readonly hosts: PhaseHostResult[] }[] = [];

  private readonly atOnce: boolean;

  constructor(hosts: number, phases: number) {
    this.atOnce = areFewRows(hosts, phases);
  }

  /**
   * @param head fields before the hosts; `tail`: fields after them.
   * @param rows returns the same hosts each time.
   */
  phase(
    head: Pick<PhaseResult, 'from_s' | 'to_s' | 'causes' | 'happened' | 'requests'>,
    rows: Rows,
    tail: Omit<PhaseResult, keyof typeof head | 'hosts'>,
  ): PhaseResult {
    if (this.atOnce) return { ...head, hosts: [...rows()], ...tail };
    const list = (): PhaseHostResult[] => this.listOf(phase, rows);
    const phase: PhaseResult = {
      ...head,
      get hosts(): PhaseHostResult[] {
        return list();
      },
      ...tail,
    };
    rowsOfPhase.set(phase, rows);
    return phase;
  }

  private listOf(phase: PhaseResult, rows: Rows): PhaseHostResult[] {
    const known = this.made.find((one) => one.phase === phase);
    if (known !== undefined) return known.hosts;
    const hosts = [...rows()];
    if (this.made.length === KEPT) this.made.shift();
    this.made.push({ phase, hosts });
    return hosts;
  }
}
