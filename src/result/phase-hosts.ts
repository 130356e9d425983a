import { areFewRows } from '../host/report-order.js';
import type { PhaseHostResult, PhaseResult } from './run-result.js';
import { demand, madeBy } from '../core/arguments.js';
import { entryOf } from '../core/values.js';
import { type Health, type Host, localityKey } from '../host/host.js';
import type { Micros } from '../core/units.js';
import type { SelectableHost } from '../settings/selector.js';

/** A row of the report: one (priority, locality, address) of a cluster, whichever proxy saw it; metadata are those of its first moment. */
export interface HostRow extends Omit<SelectableHost, 'cluster'> {
  weight: number;
  health: Health;
  transportSocket: string;
  /** Set once no proxy lists the host any more. */
  removedAtUs: Micros | undefined;
}

/** All rows a cluster ever had, numbered in the order in which they appeared. */
export class HostRows {
  readonly rows: HostRow[] = [];
  private readonly byKey = new Map<string, number>();

  /** The row of `host` at `priority`; made where there is none. The same address twice in one locality, of one cluster, shares a row. */
  indexOf(host: Host, priority: number, cluster = ''): number {
    return entryOf(this.byKey, cluster + rowKey(host, priority), () => this.rows.push(rowOf(host, priority)) - 1);
  }

  find(row: HostRow): number | undefined {
    return this.byKey.get(rowKey(row, row.priority));
  }
}

const rowKey = ({ address, locality }: Pick<HostRow, 'address' | 'locality'>, priority: number): string =>
  `${priority}\u0000${address}\u0000${localityKey(locality)}`;

function rowOf(host: Host, priority: number): HostRow {
  const { address, hostname, locality, metadata, weight, health, transportSocket } = host;
  return { address, hostname, priority, locality, metadata, weight, health, transportSocket, removedAtUs: undefined };
}

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

/** The host with the most load, of those whose load is known; undefined: none is. */
export function busiestOf(phase: PhaseResult): PhaseHostResult | undefined {
  let most: PhaseHostResult | undefined;
  for (const host of hostsOf(phase)) if ((host.load ?? -1) > (most?.load ?? -1)) most = host;
  return most;
}

/** The phases of one cluster. Where their rows are not few, the lists of hosts are made on demand. */
export class PhaseHosts {
  private readonly made: { readonly phase: PhaseResult; readonly hosts: PhaseHostResult[] }[] = [];

  private readonly atOnce: boolean;

  constructor(hosts: number, phases: number) {
    this.atOnce = areFewRows(hosts, phases);
  }

  /** @param head fields before the hosts; `tail`: fields after them. @param rows returns the same hosts each time. */
  phase(
    head: Pick<PhaseResult, 'from_s' | 'to_s' | 'causes' | 'happened' | 'requests'>,
    rows: Rows,
    tail: Omit<PhaseResult, keyof typeof head | 'hosts'>,
  ): PhaseResult {
    if (this.atOnce) return { ...head, hosts: [...rows()], ...tail };
    const list = (): PhaseHostResult[] => this.listOf(phase, rows);
    const phase: PhaseResult = Object.defineProperty({ ...head, hosts: [], ...tail }, 'hosts', { get: list });
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
