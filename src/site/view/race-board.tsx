import type { JSX } from 'preact';
import type { Race, RaceEntry } from '../../index.js';
import { counted, percent, visible } from '../number-format.js';
import { Bar, DataTable } from './data-table.js';

/** More hosts than this are drawn without edges between them. */
const EDGED = 60;

/** How the policies of a race finished: a picture for each cluster, the winner first. */
export function RaceBoard({
  race,
  shown,
  show,
}: {
  readonly race: Race;
  /** The policy whose run is shown below. */
  readonly shown: string;
  readonly show: (policy: string) => void;
}): JSX.Element {
  return (
    <section class="panel race" aria-labelledby="race-title">
      <h2 id="race-title">Finish</h2>
      <p class="empty">
        The first has the fewest failures, then the lowest p99, then mean. Means of {counted(race.runs, 'run')} of each,
        with the same seeds; a name shows its run below.
      </p>
      {Object.entries(race.clusters).map(([cluster, entries]) => (
        <div key={cluster}>
          <h3>{visible(cluster, 120)}</h3>
          <Finish cluster={cluster} entries={entries} shown={shown} show={show} />
        </div>
      ))}
      <p class="empty">
        Latency: ● p50, ┃ mean, line to p99. Hosts: a piece for each, as wide as its share. Peak: the most that a host
        got over the mean; Jain: 1 is even; CoV: standard deviation over mean. Moved: keys that change their host
        without need where one host is lost.
      </p>
    </section>
  );
}

function Finish({
  cluster,
  entries,
  shown,
  show,
}: {
  readonly cluster: string;
  readonly entries: readonly RaceEntry[];
  readonly shown: string;
  readonly show: (policy: string) => void;
}): JSX.Element {
  const most = (of: (entry: RaceEntry) => number | null): number =>
    entries.reduce((highest, entry) => Math.max(highest, of(entry) ?? 0), 0);
  const slowest = most(({ latency_ms: { p99, mean } }) => Math.max(p99 ?? 0, mean ?? 0));
  const peak = most(({ imbalance }) => imbalance.peak_to_mean);
  const moves = most(needless);
  const looksUp = entries.some(({ moved_keys: moved }) => moved !== null);
  return (
    <DataTable
      caption={<caption class="hidden">Finish of {visible(cluster, 120)}</caption>}
      rows={entries}
      isChosen={({ policy }) => policy === shown}
      columns={[
        [
          'Policy',
          ({ policy }) => (
            <button type="button" class="plain" aria-pressed={policy === shown} onClick={() => show(policy)}>
              {visible(policy, 120)}
            </button>
          ),
        ],
        ['Failed', ({ failed }) => <Cell head="Failed" part={failed ?? 0} says={known(failed, percent)} />],
        ['Latency', ({ latency_ms: latency }) => <Range latency={latency} slowest={slowest} />, 'latency'],
        [
          'p50 · p99',
          ({ latency_ms: { p50, p99 } }) => (
            <Cell head="p50 · p99" says={`${known(p50, milliseconds)} · ${known(p99, milliseconds)}`} />
          ),
          'number',
        ],
        ['Hosts', ({ hosts }) => <Hosts hosts={hosts} />, 'hosts'],
        [
          'Peak',
          ({ imbalance: { peak_to_mean: value } }) => (
            <Cell head="Peak" part={over(value, peak)} says={known(value, threeDigits)} />
          ),
        ],
        ['Jain', ({ imbalance }) => <Cell head="Jain" says={known(imbalance.jain, threeDigits)} />, 'number'],
        ['CoV', ({ imbalance }) => <Cell head="CoV" says={known(imbalance.cov, threeDigits)} />, 'number'],
        looksUp && [
          'Moved',
          (entry) => {
            const moved = needless(entry);
            return <Cell head="Moved" part={over(moved, moves)} says={known(moved, percent)} />;
          },
        ],
      ]}
    />
  );
}

/** A number, and a bar where it is a part of something; the head of its column, where there is no room for columns. */
function Cell(props: { readonly head: string; readonly says: string; readonly part?: number }): JSX.Element {
  const content = (
    <>
      <span class="head">{props.head} </span>
      {props.says}
    </>
  );
  return props.part === undefined ? content : <Bar part={props.part}>{content}</Bar>;
}

function Range({
  latency: { mean, p50, p99 },
  slowest,
}: {
  readonly latency: RaceEntry['latency_ms'];
  readonly slowest: number;
}): JSX.Element | null {
  if (mean === null || p50 === null || p99 === null || slowest === 0) return null;
  const at = (value: number): string => `${(100 * value) / slowest}%`;
  return (
    <span class="range" aria-hidden="true">
      <span class="reach" style={{ left: at(p50), width: at(Math.max(0, p99 - p50)) }} />
      <span class="mean" style={{ left: at(mean) }} />
      <span class="median" style={{ left: at(p50) }} />
    </span>
  );
}

/** The shares of the hosts beside each other, in the order of their addresses. */
function Hosts({ hosts }: { readonly hosts: RaceEntry['hosts'] }): JSX.Element {
  const busiest = hosts.reduce<RaceEntry['hosts'][number] | undefined>(
    (most, host) => ((host.share ?? 0) > (most?.share ?? 0) ? host : most),
    undefined,
  );
  const label =
    busiest === undefined
      ? 'no host'
      : `${counted(hosts.length, 'host')}; ${visible(busiest.address, 60)} has the most, ${percent(busiest.share ?? 0)}`;
  return (
    <span class="strip" role="img" aria-label={label} title={label} data-edged={hosts.length <= EDGED}>
      {hosts.map(({ address, share }) => (
        <span
          key={address}
          title={`${visible(address, 60)} ${known(share, percent)}`}
          style={{ width: `${100 * (share ?? 0)}%` }}
        />
      ))}
    </span>
  );
}

/** What part of the keys moves beyond what has to. */
function needless({ moved_keys: keys }: RaceEntry): number | null {
  return keys === null ? null : Math.max(0, keys.moved - keys.minimum);
}

function over(value: number | null, most: number): number {
  return value === null || most === 0 ? 0 : value / most;
}

function known(value: number | null, shown: (value: number) => string): string {
  return value === null ? '–' : shown(value);
}

const milliseconds = (value: number): string => `${Number(value.toPrecision(3))} ms`;
const threeDigits = (value: number): string => String(Number(value.toFixed(3)));

/** Who came first, in a sentence. */
export function winnerOf({ clusters }: Race): string {
  return Object.entries(clusters)
    .flatMap(([cluster, [first]]) => {
      if (first === undefined) return [];
      const { policy, failed, latency_ms: latency } = first;
      const where = Object.keys(clusters).length > 1 ? `${visible(cluster, 120)}: ` : '';
      return [
        `${where}${visible(policy, 120)} comes first, ${known(failed, percent)} failed, p99 ${known(latency.p99, milliseconds)}.`,
      ];
    })
    .join(' ');
}
