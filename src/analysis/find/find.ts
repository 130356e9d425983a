import { FORMAT, type ScenarioAnswer } from '../../core/document-format.js';
import type { PredictedHost } from '../../predict/prediction.js';
import type { PhaseFact } from '../../result/facts.js';
import { type LossFact, type LossNote, Losses, NEGLIGIBLE, NoPrediction, type Notice, type Outcome } from './losses.js';
import type { Scenario } from '../../scenario/model.js';
import { inputOf } from '../../scenario/origin.js';
import { NO_PAUSE, type Pause } from '../pause.js';
import { isFromDns, recordUnits, type Unit } from './records.js';
import { Search } from './search.js';
import { entryOf, groupBy } from '../../core/lists.js';
import { demand, FUNCTION, optionsOf, POSITIVE, SCENARIO, TEXTS } from '../../core/arguments.js';
import { policyOf } from '../../config/policy/of-cluster.js';
import { around } from '../../config/policy/policy.js';

/** Possible effects of a loss. */
const TROUBLES = ['panic', 'failures', 'overload'] as const;
export type Trouble = (typeof TROUBLES)[number];

/** The smallest sets of hosts, zones and DNS records whose loss causes trouble. Field names are those of `lbsim find --json`. */
export interface Findings extends ScenarioAnswer {
  readonly found: readonly Finding[];
  /** What to know beside that. */
  readonly facts: readonly LossFact[];
}

/** What is lost. Hosts of DNS clusters are lost with the records of their addresses. */
export type Lose = 'hosts' | 'zones' | 'records';

export interface Finding {
  readonly cluster: string;
  readonly brings: Trouble;
  readonly lose: Lose;
  /** Size of the set and number of units; null: no tried set causes it. */
  readonly size: number | null;
  readonly of: number;
  /** Zones by name, hosts by address, or records as `name address`. */
  readonly set: readonly string[];
  /** All addresses lost with it. */
  readonly addresses: readonly string[];
  /** Every smaller set, or an equivalent one, was tried. Else: no proper subset of it is enough. */
  readonly smallest: boolean;
  /** The effect. */
  readonly panic: boolean;
  readonly failed: number;
  readonly fullest: Outcome['fullest'] | null;
  /** Why the split is then what it is, as `run` has it. */
  readonly facts: readonly PhaseFact[];
  /** Who notices a loss, and so brings the state that is described; null: nobody, the lost hosts keep their part. */
  readonly noticed_by: Notice | null;
}

export interface FindOptions {
  /** Default: all that are reported. */
  readonly clusters?: readonly string[] | undefined;
  /** Requests a second that a host can take. Default: its concurrency over its mean service time, where both are given. */
  readonly capacity?: number | undefined;
  readonly pause?: Pause | undefined;
}

const FIND_OPTIONS = optionsOf<FindOptions>({ clusters: TEXTS, capacity: POSITIVE, pause: FUNCTION });

/**
 * Finds the smallest sets of hosts, of zones, and of the records of DNS clusters, whose loss causes panic, failed requests, or a host above its capacity.
 *
 * Every set is judged by its exact prediction: its hosts never answer, and proxies know them to be unhealthy if the cluster has
 * what notices (`noticed_by`). Hosts are idle, so that least request chooses evenly, and there are no retries.
 */
export async function find(scenario: Scenario, options: FindOptions = {}): Promise<Findings> {
  demand('find', ['scenario', scenario, SCENARIO], ['options', options, FIND_OPTIONS]);
  const { pause = NO_PAUSE, capacity } = options;
  const { reported } = scenario.origin;
  const names =
    options.clusters ?? scenario.clusters.map(({ name }) => name).filter((name) => reported?.has(name) !== false);
  const found: Finding[] = [];
  const notes = new Map<string, LossFact & { readonly clusters: string[] }>();
  const note = (fact: LossNote, cluster: string): void => {
    entryOf(notes, JSON.stringify(fact), () => ({ ...fact, clusters: [] })).clusters.push(cluster);
  };
  for (const [index, name] of names.entries()) {
    try {
      const losses = await Losses.of(scenario, name, capacity);
      if (losses.hosts.length === 0) throw new NoPrediction({ kind: 'no_host_up' });
      const { outFromStart: out, hosts } = losses;
      if (out > 0) note({ kind: 'out_already', out, hosts: out + hosts.length }, name);
      if (!losses.knowsCapacity) note({ kind: 'no_capacity' }, name);
      if (losses.hasRetries) note({ kind: 'tried_once' }, name);
      const config = scenario.clusters.find((cluster) => cluster.name === name);
      for (const [part, lose] of (['zones', isFromDns(config) ? 'records' : 'hosts'] as const).entries()) {
        const own: Pause = (done) => pause((index + (part + done) / 2) / names.length);
        found.push(...(await findIn(losses, lose, scenario, own)));
      }
    } catch (error) {
      if (!(error instanceof NoPrediction)) throw error;
      note({ kind: 'not_searched', why: error.fact }, name);
    }
  }
  return { format: FORMAT, scenario: scenario.name, ...inputOf(scenario), found, facts: [...notes.values()] };
}

async function findIn(losses: Losses, lose: Lose, scenario: Scenario, pause: Pause): Promise<Finding[]> {
  const { cluster, hosts } = losses;
  const config = scenario.clusters.find(({ name }) => name === cluster);
  const units = lose === 'records' && config !== undefined ? recordUnits(scenario, config) : unitsOf(lose, hosts);
  if (units.length === 0 || (lose === 'zones' && units.length < 2)) return [];
  // Hosts of different subsets are of different kinds.
  const alike = config === undefined || around(policyOf(config), 'subset') === undefined;
  const search = new Search(alike ? units : units.map((unit) => ({ ...unit, kind: unit.name })), losses, pause);
  const intact = await losses.lose(new Set());
  const findings: Finding[] = [];
  for (const brings of TROUBLES) {
    if (brings === 'overload' && !losses.knowsCapacity) continue;
    const isTrouble = IS_TROUBLE[brings];
    const result = isTrouble(intact)
      ? { chosen: [], outcome: intact, smallest: true }
      : await search.smallest(isTrouble);
    const chosen = result?.chosen ?? [];
    findings.push({
      cluster,
      brings,
      lose,
      size: result === undefined ? null : chosen.length,
      of: units.length,
      set: chosen.map(({ name }) => name),
      addresses: chosen.flatMap(({ addresses }) => addresses),
      smallest: result?.smallest ?? false,
      panic: result?.outcome.panic ?? false,
      failed: result?.outcome.failed ?? 0,
      fullest: result?.outcome.fullest ?? null,
      facts: result?.outcome.facts ?? [],
      noticed_by: losses.noticedBy,
    });
  }
  return findings;
}

const IS_TROUBLE: Readonly<Record<Trouble, (outcome: Outcome) => boolean>> = {
  panic: ({ panic }) => panic,
  failures: ({ failed }) => failed > NEGLIGIBLE,
  overload: ({ fullest }) => fullest !== undefined && fullest.load > 1 + NEGLIGIBLE,
};

function unitsOf(lose: Lose, hosts: readonly PredictedHost[]): Unit[] {
  return lose === 'zones' ? zoneUnits(hosts) : hostUnits(hosts);
}

function placeOf({ locality: { region, zone, sub_zone: subZone } }: PredictedHost): string {
  return [region, zone, subZone].filter((part) => part !== '').join('/');
}

function hostUnits(hosts: readonly PredictedHost[]): Unit[] {
  return hosts.map((host) => ({
    name: host.address,
    addresses: [host.address],
    kind: `${placeOf(host)}\n${host.priority}\n${host.weight}\n${host.health}\n${host.share}`,
    group: placeOf(host),
  }));
}

function zoneUnits(hosts: readonly PredictedHost[]): Unit[] {
  return [...groupBy(hosts, placeOf)].map(([name, members]) => ({
    name: name === '' ? '(none)' : name,
    addresses: members.map(({ address }) => address),
    kind: name,
    group: name,
  }));
}
