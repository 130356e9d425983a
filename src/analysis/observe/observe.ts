import { demand, fieldsOf, INPUTS, SCENARIO, TEXT } from '../../core/arguments.js';
import type { ScenarioAnswer } from '../../core/document-format.js';
import { ipOf } from '../../core/ip.js';
import { NoAnswer } from '../../core/no-answer.js';
import { fill } from '../../core/fill.js';
import { optionsIn } from '../../core/options.js';
import { groupBy, largest, sum } from '../../core/values.js';
import type { Scenario } from '../../scenario/model.js';
import { answerHead } from '../../scenario/origin.js';
import { ObserveOptions } from '../generated/options.js';
import { NO_PAUSE } from '../pause.js';
import { causesOf, type ObservedCause, offBy, saysOf } from './causes.js';
import { comparedIn, type ObservedSplit, type ObservedVerdict, strangersIn } from './compared.js';
import { type ExpectedCluster, expectedOf, withBalancers } from './expected.js';
import { OBSERVED as WORDS } from './generated/observed.js';
import { chanceOf, chanceWatched } from './law.js';
import { quietTimesOf } from './quiet-times.js';
import * as seen from './seen.js';

/** Whether what was seen is what is configured: field names are those of `lbsim observe --json`. */
export interface Observation extends ScenarioAnswer {
  readonly verdict: ObservedVerdict;
  /** The chance that all is as configured where the verdict says it is not. */
  readonly false_alarm: number;
  readonly clusters: Readonly<Record<string, ObservedCluster>>;
  /** Of the cluster that is furthest off, in a sentence. */
  readonly says: string;
  /** What to know of what was seen. */
  readonly facts: readonly seen.SeenFact[];
  /** The same, a sentence each. */
  readonly notes: readonly string[];
}

export interface ObservedCluster extends ObservedSplit {
  /** What would explain it, the most likely first; none: nothing is off, or nothing that was tried explains it better. */
  readonly causes: readonly ObservedCause[];
  /** In a sentence. */
  readonly says: string;
}

const FIELDS = fieldsOf<seen.LogFields>({ host: TEXT, cluster: TEXT, attempts: TEXT, flags: TEXT, start: TEXT });
const CHECK = optionsIn({ ...ObserveOptions, fields: FIELDS });

/** There is nothing in the texts that could be compared. */
export class NothingSeen extends NoAnswer {
  override readonly name = 'NothingSeen';
}

/**
 * Compares what hosts were seen to get with what the configuration says.
 *
 * @param observed pages of `/clusters` or `/stats`, access logs as JSON, plain counts.
 * @throws NothingSeen where no text counts requests of a cluster of the scenario.
 */
export async function observe(
  scenario: Scenario,
  observed: readonly { readonly file: string; readonly text: string }[],
  options: ObserveOptions = {},
): Promise<Observation> {
  demand('observe', ['scenario', scenario, SCENARIO], ['observed', observed, INPUTS], ['options', options, CHECK]);
  const all = observed.flatMap(({ file, text }) => seen.readSeen(file, text, options.fields));
  return observationOf(scenario, seen.countsOf(all), options);
}

/** The same of what has been read. @param known what is expected of the clusters, where that has been worked out. */
export async function observationOf(
  written: Scenario,
  counted: seen.Counted,
  options: ObserveOptions = {},
  known?: ReadonlyMap<string, ExpectedCluster>,
): Promise<Observation> {
  const { falseAlarm = 0.003, earlier, watched = false, pause = NO_PAUSE } = options;
  const scenario = withBalancers(written, options, counted.workers);
  const expected = known ?? (await expectedOf(scenario, pause));
  const chanceIn = watched ? chanceWatched : chanceOf;
  const clusters: Record<string, ObservedCluster> = {};
  const facts = [...counted.facts];
  const others: string[] = [];
  const areNamed = [...counted.clusters.keys()].some((shown) => clusterOf(scenario, shown) !== undefined);
  const eventsBy = groupBy(counted.events, ({ cluster }) => cluster);
  const callsBy = groupBy(counted.calls, ({ cluster }) => cluster);
  for (const [shown, rows] of counted.clusters) {
    // Clusters share hosts: these tell only where no name does.
    const name = clusterOf(scenario, shown) ?? (areNamed && shown !== '' ? undefined : byHosts(expected, rows)) ?? '';
    const own = expected.get(name);
    if (own === undefined && shown !== '') others.push(shown);
    if (own === undefined) continue;
    // By the addresses of the configuration.
    const addressOf = addressBook(own);
    const matched: seen.CountedRows = new Map([...rows].map(([host, row]) => [addressOf(host) ?? host, row]));
    if (sum([...matched.values()].map(({ requests }) => requests)) === 0) continue;
    const strangers = strangersIn(own.hosts, matched);
    if (strangers.length > 0) facts.push({ kind: 'not_configured', cluster: name, hosts: strangers });
    const { bare } = written.origin;
    const { split, spread, keys } = comparedIn(own, matched, falseAlarm, bare, chanceIn);
    if (keys !== undefined) facts.push({ kind: 'keys', cluster: name, number: keys });
    const isOff = split.verdict === 'not_as_configured';
    const events = isOff ? namesOf(scenario, name, shown).flatMap((one) => eventsBy.get(one) ?? []) : [];
    const { answers } = counted;
    const compared = { name, own, counted: matched, strangers, split, spread, bare, answers, events, earlier };
    const causes = isOff ? causesOf(scenario, compared) : [];
    const calls = isOff ? (callsBy.get(shown) ?? []) : [];
    const timed = calls.map((call) => ({ ...call, host: addressOf(call.host) ?? call.host }));
    facts.push(
      ...quietTimesOf(split, timed, falseAlarm).map((time) => ({ kind: 'quiet', cluster: name, ...time }) as const),
    );
    await pause(Object.keys(clusters).length / counted.clusters.size);
    const says = sentenceOf(split, causes, counted.clusters.size > 1 ? name : undefined, strangers);
    clusters[name] = { ...split, causes, says };
  }
  if (others.length > 0) facts.push({ kind: 'other_clusters', clusters: others });
  const verdicts = Object.values(clusters).map(({ verdict }) => verdict);
  const verdict = (['not_as_configured', 'as_configured', 'too_little'] as const).find((one) => verdicts.includes(one));
  const notes = facts.map((fact) => fill(WORDS.facts[fact.kind], fact));
  if (verdict === undefined)
    throw new NothingSeen([...notes, `nothing was sent to the hosts of ${[...expected.keys()].join(', ')}`].join('; '));
  const off = Object.values(clusters).filter((one) => one.verdict === verdict);
  const [worst] = off.sort((a, b) => largest(b.parts.map(offBy)) - largest(a.parts.map(offBy)));
  const says = worst?.says ?? '';
  return { ...answerHead(scenario), verdict, false_alarm: falseAlarm, clusters, says, facts, notes };
}

/** Causes of a sentence: `--json` has all. */
const TOLD = 3;

/** The host that is furthest off leads. */
function sentenceOf(
  { parts, verdict }: ObservedSplit,
  causes: readonly ObservedCause[],
  cluster: string | undefined,
  strangers: readonly string[],
): string {
  const ranked = [...parts].sort((a, b) => offBy(b) - offBy(a));
  const part = ranked.find(({ of, verdict: own }) => of === 'host' && own !== 'as_expected') ?? ranked[0];
  if (verdict !== 'not_as_configured' || part === undefined) return fill(WORDS.verdict, { verdict });
  const stranger = strangers.includes(part.name) ? true : undefined;
  const tied = causes.filter((one) => one.tied).slice(0, TOLD);
  const [cause, ...others] = tied.map((one) => saysOf(one, part.name));
  const looks = others.length === 0 ? [] : [...new Set(tied.map(({ look }) => look))];
  return fill(WORDS.off, { ...part, cluster, stranger, cause, others, looks });
}

function clusterOf({ clusters }: Scenario, shown: string): string | undefined {
  const own = clusters.find(({ name, altStatName }) => [name, plain(name), altStatName].includes(shown));
  return shown === '' ? undefined : own?.name;
}

/** All that pages call a cluster. @param shown by the one that counts its hosts. */
function namesOf({ clusters }: Scenario, name: string, shown: string): readonly string[] {
  const { altStatName = '' } = clusters.find((cluster) => cluster.name === name) ?? {};
  return [...new Set([shown, ...[name, plain(name), altStatName].filter((one) => one !== '')])];
}

/** As statistics write it, in which a name has no colon. */
const plain = (name: string): string => name.replace(/[:[\]]/g, '_');

/** The address of a configured host by all that it is called: in full, as in statistics, without the port where that is one host. */
function addressBook({ hosts }: ExpectedCluster): (name: string) => string | undefined {
  const addresses = [...groupBy(hosts, ({ address }) => ipOf(address))];
  const single = addresses.flatMap(([ip, own]) => (own.length > 1 ? [] : [[ip, own[0]?.address ?? ip] as const]));
  const whole = hosts.map(({ address }) => [address, address] as const);
  const book = new Map([...single, ...whole].map(([name, address]) => [plain(name), address]));
  return (name) => book.get(plain(name));
}

/** The cluster that has most of these hosts. */
function byHosts(expected: ReadonlyMap<string, ExpectedCluster>, rows: seen.CountedRows): string | undefined {
  const known = new Map(
    [...expected].map(([name, own]) => {
      const addressOf = addressBook(own);
      return [name, [...rows.keys()].filter((host) => addressOf(host) !== undefined).length];
    }),
  );
  const most = largest(known.values(), 1);
  return [...known].find(([, number]) => number === most)?.[0];
}
