import { assert } from '../../core/assert.js';
import { countsOf, defined, entryOf, groupBy, sum } from '../../core/values.js';
import { demand, listOf, oneOf, SCENARIO, TEXTS } from '../../core/arguments.js';
import { optionsIn } from '../../core/options.js';
import type { Expectation, Scenario } from '../../scenario/model.js';
import { answerHead } from '../../scenario/origin.js';
import { ProveOptions, SurviveOptions } from '../generated/options.js';
import { NO_PAUSE, type Pause } from '../pause.js';
import { placeName } from '../../host/host.js';
import { aggregated } from '../../config/cluster/cluster-shape.js';
import { clustersAsked } from '../../settings/world.js';
import { NAMES } from '../../core/generated/names.js';
import type { Harm } from '../../settings/generated/measures.js';
import { type HostAt, Losses, NoPrediction } from './losses.js';
import { lostKeysOf } from './lost-keys.js';
import type { Unit } from './loss-units.js';
import * as minimums from './minimum.js';
import type * as findings from './generated/findings.js';
import type { ExpectationResult } from '../../result/run-result.js';
import { NamedHosts } from '../../scenario/assemble/known-hosts.js';
import { type LossSize, lossSizeOf } from '../../scenario/selector.js';

/**
 * The smallest losses that bring a harm, without words. A loss is judged by its exact prediction: its hosts never answer, and proxies know them to be unhealthy if the cluster has what
 * notices (`noticed_by`). Hosts are idle, so that least request chooses evenly, and there are no retries.
 */
export async function prove(scenario: Scenario, options: ProveOptions = {}): Promise<findings.Findings> {
  demand('prove', ['scenario', scenario, SCENARIO], ['options', options, optionsIn(ProveOptions)]);
  const found: findings.Finding[] = [];
  const keys: findings.LostKeys[] = [];
  const notes = new Map<string, findings.LossFact & { readonly clusters: string[] }>();
  const note = (cluster: string, fact: findings.LossNote): void => {
    entryOf(notes, JSON.stringify(fact), () => ({ ...fact, clusters: [] })).clusters.push(cluster);
  };
  await eachCluster(
    scenario,
    options,
    [],
    async (losses, pause) => {
      if (losses.hosts.length === 0) throw new NoPrediction({ kind: 'no_host_up' });
      for (const fact of losses.notes()) note(losses.config.name, fact);
      found.push(...(await findIn(losses, pause)));
      for (const lose of options.movedKeys === true ? ([losses.single, 'zones'] as const) : []) {
        const lost = await lostKeysOf(losses, lose, pause);
        if (lost) keys.push({ cluster: losses.config.name, lose, ...lost });
      }
    },
    (cluster, why) => note(cluster, { kind: 'not_searched', why }),
  );
  return {
    ...answerHead(scenario),
    found,
    facts: [...notes.values()],
    ...(options.movedKeys === true && { moved_keys: keys }),
  };
}

/** Asks of one cluster after the other. @param selectors of hosts that it is about. @param fail there is no exact split of it. */
export async function eachCluster(
  scenario: Scenario,
  { clusters, capacity, unnoticed, exhaustive, pause = NO_PAUSE }: ProveOptions,
  selectors: readonly string[],
  ask: (losses: Losses, pause: Pause) => Promise<void> | void,
  fail: (cluster: string, why: findings.NoSplit) => unknown,
): Promise<void> {
  const { reported } = scenario.origin;
  const all = scenario.clusters.map(({ name }) => name).filter((name) => reported?.has(name) !== false);
  const asked = clustersAsked(scenario);
  const aggregates = scenario.clusters.filter(({ name }) => asked.has(name));
  // What a cluster gets through aggregates alone is asked of these.
  const askedOf = (name: string): readonly string[] => {
    const through = aggregates.filter((one) => aggregated(one)?.includes(name)).map((one) => one.name);
    return asked.has(name) || through.length === 0 ? [name] : through;
  };
  const names = [...new Set((clusters ?? all).flatMap(askedOf))];
  const lossesOf = await Losses.all(scenario, capacity, selectors, unnoticed, exhaustive);
  for (const [index, name] of names.entries()) {
    try {
      await ask(lossesOf(name), (done) => pause((index + done) / names.length));
    } catch (error) {
      if (!(error instanceof NoPrediction)) throw error;
      fail(name, error.fact);
    }
  }
}

async function findIn(losses: Losses, pause: Pause): Promise<findings.Finding[]> {
  await pause(0);
  const intact = await losses.lose([]);
  const harms = NAMES.harms.filter((harm) => {
    if (harm === 'overload') return losses.knowsCapacity;
    if (harm === 'limit') return intact.open !== null;
    // Where requests leave their zone as it is, nobody asks when they do.
    return harm !== 'outside' || (intact.outside !== null && !minimums.brings('outside', intact));
  });
  const hosts = await minimums.fewestHosts(losses, harms, (done) => pause(done / 2));
  await pause(0.5);
  const zones = await fewestZones(losses, hosts, (done) => pause(0.5 + done / 2));
  const beside = await fewestBeside(losses, hosts, zones, pause);
  const findings: findings.Finding[] = [];
  for (const [lose, minima] of [
    ['zones', zones],
    [losses.single, hosts],
    ['zone_then_hosts', beside],
  ] as const) {
    for (const harm of NAMES.harms) {
      const minimum = minima.get(harm);
      if (minimum !== undefined) findings.push(await findingOf(losses, lose, harm, minimum));
    }
  }
  return findings;
}

/**
 * With any one zone lost, the fewest hosts more.
 *
 * @returns nothing of harms that one zone brings, that no loss brings, or of which it is not even known which hosts do.
 */
async function fewestBeside(
  losses: Losses,
  hosts: minimums.Minima,
  zones: minimums.Minima,
  pause: Pause,
): Promise<minimums.Minima> {
  const best = new Map<Harm, minimums.Minimum>();
  const sizeOf = (one?: minimums.Minimum): number => one?.units?.length ?? Infinity;
  const harms = [...zones.keys()].filter((harm) => {
    const alone = hosts.get(harm);
    return sizeOf(zones.get(harm)) > 1 && alone?.units !== undefined && alone.units.length === alone.atLeast;
  });
  for (const [zone] of groupBy(losses.units('zones'), ({ kind }) => kind).values()) {
    if (zone === undefined || harms.length === 0) continue;
    const most = Math.max(...harms.map((harm) => sizeOf(best.get(harm)))) - 1;
    for (const [harm, own] of await minimums.fewestHosts(losses, harms, pause, [zone], most)) {
      const before = best.get(harm);
      const fewest = before !== undefined && sizeOf(before) <= sizeOf(own) ? before : { ...own, zone };
      best.set(harm, {
        ...fewest,
        ...defined({ undecided: before?.undecided ?? own.undecided, obstacle: before?.obstacle ?? own.obstacle }),
        atLeast: Math.min(own.atLeast, before?.atLeast ?? Infinity),
        covered: { ...fewest.covered, number: own.covered.number + (before?.covered.number ?? 0) },
      });
    }
  }
  return best;
}

/** @param hosts the fewest hosts, which zones of fewer hosts cannot replace. */
async function fewestZones(losses: Losses, hosts: minimums.Minima, pause: Pause): Promise<minimums.Minima> {
  const units = losses.units('zones');
  // A single zone is all hosts: there is nothing to ask.
  if (units.length < 2) return new Map();
  const sizes = units.map(({ rows }) => rows.length).sort((a, b) => b - a);
  const known = [...hosts].map(([harm, { atLeast, covered }]): [Harm, minimums.Minimum] => {
    if (covered.by !== 'classes') return [harm, { atLeast: 0, covered: { by: 'sets', number: 0 } }];
    let [zones, together] = [0, 0];
    while (together < atLeast && zones < sizes.length) together += sizes[zones++] ?? 0;
    return [harm, { atLeast: together < atLeast ? Infinity : zones, covered }];
  });
  return minimums.smallestSets({ losses, units, beside: [], most: Infinity, pause }, new Map(known));
}

/** A minimum as it is told, with its effect. */
async function findingOf(
  losses: Losses,
  lose: findings.Finding['lose'],
  harm: Harm,
  { atLeast, units, zone, covered, undecided, obstacle }: minimums.Minimum,
): Promise<findings.Finding> {
  const beside = zone === undefined ? [] : [zone];
  const outcome = units && (await losses.lose([...beside, ...units]));
  const gone = losses.numbersOf(beside);
  const all = losses.units(lose === 'zone_then_hosts' ? losses.single : lose);
  assert(outcome === undefined || minimums.brings(harm, outcome), 'a loss brings what is said of it');
  const isSmallest = (units?.length ?? Infinity) === atLeast;
  // Each host has its own keys.
  const ofTable = losses.isTable && harm === 'overload';
  const cluster = losses.config.name;
  const members = losses.rest.clusters.map(({ name }) => name).filter((name) => name !== cluster);
  return {
    cluster,
    ...(members.length > 0 && { members }),
    per_second: losses.perSecond,
    brings: harm,
    lose,
    ...(zone !== undefined && units !== undefined && { zone: zone.name }),
    size: units?.length ?? null,
    of: zone === undefined ? all.length : all.filter(({ rows }) => rows.some((row) => gone[row] === 0)).length,
    at_least: atLeast < Infinity ? atLeast : null,
    smallest: isSmallest,
    covered,
    ...(undecided !== undefined && !isSmallest && { undecided }),
    ...(obstacle !== undefined && { obstacle }),
    set: losses.named(units ?? []).set,
    addresses: losses.named([...beside, ...(units ?? [])]).addresses,
    groups: groupsOf(losses, units ?? [], covered.by === 'classes' && !ofTable, gone),
    panic: outcome?.panic ?? false,
    failed: outcome?.failed ?? 0,
    fullest: outcome?.fullest ?? null,
    outside: outcome?.outside ?? null,
    open: outcome?.open ?? null,
    facts: outcome?.facts() ?? [],
    noticed_by: losses.noticedBy,
  };
}

/** By priority, and by weight and zone where they make a difference there. */
function groupsOf(losses: Losses, units: readonly Unit[], isClass: boolean, beside: Int32Array): findings.LossGroup[] {
  const gone = losses.numbersOf(units);
  const hosts = losses.hosts.filter(({ host }) => beside[host.index] === 0);
  const levelOf = ({ priority, cluster }: HostAt) => ({
    priority,
    ...(cluster !== losses.config.name && { cluster }),
  });
  const byLevel = [...groupBy(hosts, (at) => JSON.stringify(levelOf(at)))];
  const weights = new Map(byLevel.map(([level, own]) => [level, new Set(own.map(({ host }) => host.weight))]));
  const groups = groupBy(hosts, (at) =>
    JSON.stringify({
      ...levelOf(at),
      ...((weights.get(JSON.stringify(levelOf(at)))?.size ?? 0) > 1 && { weight: at.host.weight }),
      ...(losses.byPlace && { zone: placeName(at.host.locality) }),
    }),
  );
  const found = [...groups].flatMap(([by, own]): findings.LossGroup[] => {
    const lost = sum(own.map(({ host }) => gone[host.index] ?? 0));
    const any = isClass && new Set(own.map((host) => losses.kindOf(host))).size === 1;
    const said = JSON.parse(by) as Pick<findings.LossGroup, 'priority' | 'cluster' | 'weight' | 'zone'>;
    return lost === 0 ? [] : [{ ...said, lost, of: losses.numberOf(own), any }];
  });
  return found.sort((a, b) => a.priority - b.priority);
}

const SURVIVE_OPTIONS = optionsIn({
  ...{ ...ProveOptions, ...SurviveOptions },
  without: listOf(oneOf(NAMES.harms), 'a list of harms'),
});

/** Sets of zones that are looked at. */
const MOST_ZONE_SETS = 5000;

/** Whether clusters survive any loss of a size, without words. @throws NoPrediction */
export async function survive(
  scenario: Scenario,
  lose: readonly string[],
  options: SurviveOptions = {},
): Promise<findings.Survival> {
  demand('survive', ['scenario', scenario, SCENARIO], ['lose', lose, TEXTS], ['options', options, SURVIVE_OPTIONS]);
  const { without = NAMES.grave, headroom = false } = options;
  const size = lossSizeOf(lose);
  if (!size.ok) throw new NoPrediction({ kind: 'no_selector', lose: lose.join(', '), message: size.message });
  const clusters: findings.ClusterSurvival[] = [];
  const { selectors } = size.value;
  // To know every host takes long where there are many.
  const named = selectors.size === 0 ? undefined : new NamedHosts(scenario);
  const [unknown] = [...selectors].find(([, selector]) => named?.mayMatch(selector) === false) ?? [];
  await eachCluster(
    scenario,
    options,
    [...selectors.keys()],
    async (losses, pause) => {
      if (unknown !== undefined) throw new NoPrediction({ kind: 'no_such_host', lose: unknown });
      const found = await surviveIn(losses, size.value, without, pause);
      clusters.push({ ...found, ...(headroom && { headroom: await headroomOf(losses, size.value, pause) }) });
    },
    (cluster, why) => clusters.push({ cluster, survives: null, without, loss: null, checked: 0, why }),
  );
  const verdicts = clusters.map(({ survives }) => survives);
  const survives = verdicts.includes(false) ? false : verdicts.includes(null) ? null : true;
  return { ...answerHead(scenario), survives, lose, without, clusters };
}

/** Loads are in proportion to the rate: from above, down to the rate at which the next loss found just fills a host. */
async function headroomOf(losses: Losses, size: LossSize, pause: Pause): Promise<findings.Headroom | null> {
  const now = losses.perSecond;
  if (now === 0 || !losses.knowsCapacity) return null;
  let headroom: findings.Headroom | null = null;
  losses.perSecond = now * BEYOND_ALL;
  for (;;) {
    const { survives, loss } = await surviveIn(losses, size, ['overload'], pause);
    if (loss === null || loss.fullest === null) {
      losses.perSecond = now;
      return headroom && { ...headroom, proven: survives === true };
    }
    const rate = (losses.perSecond /= loss.fullest.load);
    headroom = { per_second: rate, times: rate / now, proven: false, set: loss.set, fullest: loss.fullest.address };
  }
}

/** At so many times any rate every host with a share and a capacity is overloaded. */
const BEYOND_ALL = 1e12;

/** What holds of the expectations that are proven instead of measured. */
export async function provenOf(scenario: Scenario): Promise<ReadonlyMap<Expectation, Proven>> {
  const proven = new Map<Expectation, Proven>();
  for (const expectation of scenario.expect) {
    const { subject } = expectation;
    if (subject.kind !== 'survives') continue;
    const { cluster, lose, without } = subject;
    const { survives, clusters } = await survive(scenario, lose, { clusters: [cluster], without });
    const [loss] = clusters.flatMap((one) => one.loss ?? []);
    const actual = loss === undefined ? null : loss.set.join(', ');
    proven.set(expectation, { passed: survives === true, actual, ...(loss && { brings: loss.brings }) });
  }
  return proven;
}

export type Proven = Pick<ExpectationResult, 'passed' | 'actual' | 'brings'>;

async function surviveIn(
  losses: Losses,
  { zones, hosts, selectors }: LossSize,
  harms: readonly Harm[],
  pause: Pause,
): Promise<findings.ClusterSurvival> {
  const cluster = losses.config.name;
  const without = losses.judged(harms);
  const fixed = losses.selected(...selectors.keys());
  const kinds = [...groupBy(losses.units('zones'), ({ kind }) => kind).values()];
  let checked = 0;
  let isOpen = false;
  let why: findings.NoSplit | undefined;
  for (let size = 0; size <= zones; size++) {
    for (const counts of countsOf(kinds, size)) {
      if (++checked > MOST_ZONE_SETS) return { cluster, survives: null, without, loss: null, checked: MOST_ZONE_SETS };
      await pause(checked / MOST_ZONE_SETS);
      const base = [...fixed, ...kinds.flatMap((kind, index) => kind.slice(0, counts[index]))];
      for (const [harm, minimum] of await minimums.fewestHosts(losses, without, pause, base, hosts)) {
        if (minimum.units !== undefined && minimum.units.length <= hosts) {
          const units = [...base, ...minimum.units];
          // Together with others, not any so many will do.
          const covered = base.length === 0 ? minimum.covered : ({ by: 'sets', number: checked } as const);
          const loss = await findingOf(losses, losses.single, harm, { units, atLeast: 0, covered });
          return { cluster, survives: false, without, loss: { ...loss, size: loss.addresses.length }, checked };
        }
        if (minimum.atLeast > hosts) continue;
        isOpen = true;
        why ??= minimum.obstacle;
      }
    }
  }
  return { cluster, survives: isOpen ? null : true, without, loss: null, checked, ...defined({ why }) };
}
