import type { ScenarioAnswer } from '../../core/document-format.js';
import type { PredictedHost } from '../../predict/prediction.js';
import type { PhaseFact } from '../../result/facts.js';
import {
  isFromDns,
  Losses,
  type LossFact,
  type LossNote,
  NEGLIGIBLE,
  NoPrediction,
  type Notice,
  type Outcome,
  recordUnits,
  type Unit,
} from './losses.js';
import type { Scenario } from '../../scenario/model.js';
import { NO_PAUSE, type Pause } from '../pause.js';
import { entryOf, groupBy } from '../../core/lists.js';
import { demand, FUNCTION, optionsOf, POSITIVE, SCENARIO, TEXTS } from '../../core/arguments.js';
import { policyOf } from '../../config/policy/of-cluster.js';
import { around } from '../../config/policy/policy.js';
import { answerHead } from '../answer-head.js';

/** Possible effects of a loss. */
export type Trouble = 'panic' | 'failures' | 'overload';

const TROUBLES: readonly (readonly [Trouble, (outcome: Outcome) => boolean])[] = [
  ['panic', ({ panic }) => panic],
  ['failures', ({ failed }) => failed > NEGLIGIBLE],
  ['overload', ({ fullest }) => fullest !== undefined && fullest.load > 1 + NEGLIGIBLE],
];

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
  return { ...answerHead(scenario), found, facts: [...notes.values()] };
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
  for (const [brings, isTrouble] of TROUBLES) {
    if (brings === 'overload' && !losses.knowsCapacity) continue;
    const asItIs = { chosen: [], outcome: intact, smallest: true };
    const result = isTrouble(intact) ? asItIs : await search.smallest(isTrouble);
    const { chosen = [], outcome } = result ?? {};
    findings.push({
      cluster,
      brings,
      lose,
      size: result === undefined ? null : chosen.length,
      of: units.length,
      set: chosen.map(({ name }) => name),
      addresses: chosen.flatMap(({ addresses }) => addresses),
      smallest: result?.smallest ?? false,
      panic: outcome?.panic ?? false,
      failed: outcome?.failed ?? 0,
      fullest: outcome?.fullest ?? null,
      facts: outcome?.facts ?? [],
      noticed_by: losses.noticedBy,
    });
  }
  return findings;
}

function placeOf({ locality: { region, zone, sub_zone: subZone } }: PredictedHost): string {
  return [region, zone, subZone].filter((part) => part !== '').join('/');
}

function unitsOf(lose: Lose, hosts: readonly PredictedHost[]): Unit[] {
  if (lose !== 'zones') {
    return hosts.map((host) => ({
      name: host.address,
      addresses: [host.address],
      kind: `${placeOf(host)}\n${host.priority}\n${host.weight}\n${host.health}\n${host.share}`,
      group: placeOf(host),
    }));
  }
  return [...groupBy(hosts, placeOf)].map(([name, members]) => ({
    name: name === '' ? '(none)' : name,
    addresses: members.map(({ address }) => address),
    kind: name,
    group: name,
  }));
}

interface SmallestSet {
  readonly chosen: readonly Unit[];
  readonly outcome: Outcome;
  readonly smallest: boolean;
}

/** Number of sets evaluated one by one, smaller ones first; beyond it only some sequences of losses are tried. */
const SETS_TRIED = 1200;

/** Number of steps in a sequence of losses; shorter sequences go unit by unit. */
const STEPS_ALONG = 200;

type IsTrouble = (outcome: Outcome) => boolean;

/** Looks for small sets of units that cause trouble; results are cached. */
export class Search {
  private readonly known = new Map<string, Outcome>();
  private readonly kinds: readonly (readonly Unit[])[];

  constructor(
    private readonly units: readonly Unit[],
    private readonly losses: Losses,
    private readonly pause: Pause,
  ) {
    this.kinds = [...groupBy(units, ({ kind }) => kind).values()];
  }

  /** undefined: no tried set causes it, not even that of all units. */
  async smallest(isTrouble: IsTrouble): Promise<SmallestSet | undefined> {
    let tried = 0;
    for (let size = 1; size <= this.units.length; size++) {
      for (const counts of countsOf(this.kinds, size)) {
        if (++tried > SETS_TRIED) return this.along(isTrouble);
        const chosen = this.chosenBy(counts);
        const outcome = await this.outcomeOf(chosen);
        if (isTrouble(outcome)) return { chosen, outcome, smallest: true };
      }
    }
    return undefined;
  }

  /** Follows sequences of losses to the first trouble; then removes units that are not needed. */
  private async along(isTrouble: IsTrouble): Promise<SmallestSet | undefined> {
    let best: SmallestSet | undefined;
    for (const order of this.orders()) {
      const end = best === undefined ? order.length : best.chosen.length - 1;
      const size = await this.firstAlong(order, end, isTrouble);
      if (size === undefined) continue;
      const chosen = order.slice(0, size);
      best = await this.spared({ chosen, outcome: await this.outcomeOf(chosen), smallest: false }, isTrouble);
    }
    return best;
  }

  /** Trouble may end again with further losses, as panic spreads the load. So only steps are skipped. */
  private async firstAlong(order: readonly Unit[], end: number, isTrouble: IsTrouble): Promise<number | undefined> {
    const step = Math.ceil(end / STEPS_ALONG);
    for (let reached = step; reached < end + step; reached += step) {
      if (!isTrouble(await this.outcomeOf(order.slice(0, Math.min(reached, end))))) continue;
      for (let size = reached - step + 1; size < Math.min(reached, end); size++) {
        if (isTrouble(await this.outcomeOf(order.slice(0, size)))) return size;
      }
      return Math.min(reached, end);
    }
    return undefined;
  }

  /** Group by group, starting with each of them; and from all of them in turn. */
  private *orders(): Iterable<readonly Unit[]> {
    const groups = [...new Set(this.units.map(({ group }) => group))].map((name) =>
      this.units.filter(({ group }) => group === name),
    );
    for (let first = 0; first < groups.length; first++)
      yield [...groups.slice(first), ...groups.slice(0, first)].flat();
    const longest = groups.reduce((most, { length }) => Math.max(most, length), 0);
    yield Array.from({ length: longest }, (_, index) => groups.flatMap((group) => group[index] ?? [])).flat();
  }

  private async spared(found: SmallestSet, isTrouble: IsTrouble): Promise<SmallestSet> {
    let kept = found;
    const done = new Set<string>();
    for (const unit of found.chosen) {
      if (done.has(unit.kind)) continue;
      const chosen = kept.chosen.filter((other) => other !== unit);
      const outcome = await this.outcomeOf(chosen);
      if (isTrouble(outcome)) kept = { chosen, outcome, smallest: false };
      else done.add(unit.kind);
    }
    return kept;
  }

  private chosenBy(counts: readonly number[]): readonly Unit[] {
    return this.kinds.flatMap((kind, index) => kind.slice(0, counts[index]));
  }

  private async outcomeOf(chosen: readonly Unit[]): Promise<Outcome> {
    const counts = new Map<string, number>();
    for (const { kind } of chosen) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const key = this.kinds.map(([first]) => counts.get(first?.kind ?? '') ?? 0).join();
    const known = this.known.get(key);
    if (known !== undefined) return known;
    await this.pause(Math.min(0.99, this.known.size / (2 * SETS_TRIED)));
    const outcome = await this.losses.lose(new Set(chosen.flatMap(({ addresses }) => addresses)));
    this.known.set(key, outcome);
    return outcome;
  }
}

/** All ways to take `size` units, by number of each kind. */
function* countsOf(kinds: readonly (readonly Unit[])[], size: number, from = 0): Generator<readonly number[]> {
  const [kind] = kinds.slice(from);
  if (kind === undefined) {
    if (size === 0) yield [];
    return;
  }
  const others = kinds.slice(from + 1).reduce((sum, { length }) => sum + length, 0);
  for (let count = Math.min(kind.length, size); count >= Math.max(0, size - others); count--) {
    for (const rest of countsOf(kinds, size - count, from + 1)) yield [count, ...rest];
  }
}
