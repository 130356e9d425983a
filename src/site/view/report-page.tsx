import { useState } from 'preact/hooks';
import { app, clock, durationOf } from '../app-state.js';
import type { RunPicture } from '../engine/draw-picture.js';
import { counted, percent, visible } from '../number-format.js';
import type { Report } from '../report.js';
import { ClusterChoice, DifferenceTable, factsOf, Happened, Sentence } from './answer.js';
import { EventList, Reasons } from './reasons.js';
import { ObservedClusters } from './observed.js';
import { PicturesOf } from './pictures.js';
import { Split } from './split.js';
import { ThemeButton } from './theme-button.js';
import { Transport } from './transport.js';
import type { Race, RaceEntry } from '../../index.js';
import { OVERLOAD } from '../instant.js';
import { Bar, Choice, DataTable } from './controls.js';

export const ReportHead = ({ title, facts }: Readonly<{ title: string; facts: string }>) => (
  <header class="top">
    <h1>{visible(title, 200)}</h1>
    <p class="facts">{facts}</p>
    <ThemeButton />
    <button onClick={() => print()}>Print</button>
  </header>
);

/** A report in one file: the pictures of the playground, without its engine. It is read, played and printed. */
export function ReportPage({ report }: Readonly<{ report: Report }>) {
  const [side, choose] = useState(0);
  const picture = report.sides[side]?.picture;
  const show = (place: number): void => {
    choose(place);
    app.set({ run: report.sides[place]?.picture, host: undefined });
    clock.set({ t: Math.min(clock.now.t, durationOf(app.now)) });
  };
  if (picture === undefined) return <p class="empty">This report holds nothing.</p>;
  const { race, difference, observation } = report;
  const pair = pairOf(report);
  const letters = pair === undefined ? [] : ['A ', 'B '];
  const told = race !== undefined ? [winnerOf(race)] : (difference?.sentences ?? observation?.told ?? picture.answer);
  return (
    <div class="page report">
      <ReportHead title={picture.scenario} facts={factsOf(picture, `${report.madeBy} ${report.command}`)} />
      <section class="answer" aria-label="Answer">
        {picture.description !== '' && <p class="question">{visible(picture.description, 500)}</p>}
        <Sentence told={told} />
        <div class="facts-line">
          <ClusterChoice />
          {report.sides.length > 1 && (
            <label class="side-choice">
              {pair === undefined ? 'Shown below' : 'Details of'}{' '}
              <Choice
                value={side}
                of={report.sides.map(({ name }, place) => [place, `${letters[place] ?? ''}${visible(name, 120)}`])}
                choose={show}
              />
            </label>
          )}
          <Happened sentences={told} />
        </div>
      </section>
      {race !== undefined && (
        <RaceBoard
          race={race}
          shown={report.sides[side]?.name ?? ''}
          show={(policy) => show(report.sides.findIndex(({ name }) => name === policy))}
        />
      )}
      <main class="panels">
        <section class="panel picture" aria-label="Flow and course">
          <PicturesOf run={pair?.b ?? picture} beside={pair?.a} />
        </section>
        <section class="panel details" aria-label="Details">
          {difference !== undefined && pair !== undefined && (
            <>
              <h2>A | B</h2>
              <DifferenceTable difference={difference} runs={[pair.a, pair.b]} />
            </>
          )}
          {observation !== undefined && (
            <>
              <h2>Seen</h2>
              <ObservedClusters {...observation} />
            </>
          )}
          <h2>Split</h2>
          <Split />
          <h2>Why</h2>
          <Reasons />
          <h2>Events</h2>
          <EventList />
        </section>
      </main>
      <Text text={report.text} />
      <Transport />
    </div>
  );
}

/** Two sides that are shown beside each other; a race shows one after the other below its finish. */
export function pairOf({ sides, race }: Report): { readonly a: RunPicture; readonly b: RunPicture } | undefined {
  const [a, b, ...others] = sides;
  if (a === undefined || b === undefined || others.length > 0 || race !== undefined) return undefined;
  return { a: a.picture, b: b.picture };
}

export const Text = ({ text }: Readonly<{ text: string }>) => (
  <section class="panel as-text" aria-labelledby="text-title">
    <h2 id="text-title">In words</h2>
    <pre tabindex={0}>{text}</pre>
  </section>
);

/** More hosts than this are drawn without edges between them. */
const EDGED = 60;

interface RaceBoardProps {
  readonly race: Race;
  /** The policy whose run is shown below. */
  readonly shown: string;
  readonly show: (policy: string) => void;
}

function RaceBoard(props: RaceBoardProps) {
  const { race } = props;
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
          {finish(cluster, entries, props)}
        </div>
      ))}
      <p class="empty">
        Latency: ● p50, ┃ mean, line to p99. Hosts: a piece for each, as wide as its share. Peak: the most that a host
        got over the mean; load: what the busiest host got of what it can serve; Jain: 1 is even; CoV: standard
        deviation over mean. Moved: keys that change their host without need where one host is lost.
      </p>
    </section>
  );
}

function finish(cluster: string, entries: readonly RaceEntry[], { shown, show }: RaceBoardProps) {
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
            <button class="plain" aria-pressed={policy === shown} onClick={() => show(policy)}>
              {visible(policy, 120)}
            </button>
          ),
        ],
        ['Failed', ({ failed }) => <Bar part={failed ?? 0}>{known(failed, percent)}</Bar>],
        ['Latency', ({ latency_ms: latency }) => <Range latency={latency} slowest={slowest} />, 'latency'],
        [
          'p50 · p99',
          ({ latency_ms: { p50, p99 } }) => `${known(p50, milliseconds)} · ${known(p99, milliseconds)}`,
          'number',
        ],
        ['Hosts', ({ hosts }) => <Hosts hosts={hosts} />, 'hosts'],
        [
          'Peak',
          ({ imbalance: { peak_to_mean: value } }) => <Bar part={over(value, peak)}>{known(value, threeDigits)}</Bar>,
        ],
        entries.some(({ load }) => load !== null) && [
          'Load',
          ({ load }) => (
            <Bar part={Math.min(1, load ?? 0)}>
              <span class={(load ?? 0) > OVERLOAD ? 'warn' : undefined}>{known(load, percent)}</span>
            </Bar>
          ),
        ],
        ['Jain', ({ imbalance }) => known(imbalance.jain, threeDigits), 'number'],
        ['CoV', ({ imbalance }) => known(imbalance.cov, threeDigits), 'number'],
        looksUp && [
          'Moved',
          (entry) => <Bar part={over(needless(entry), moves)}>{known(needless(entry), percent)}</Bar>,
        ],
      ]}
    />
  );
}

function Range({
  latency: { mean, p50, p99 },
  slowest,
}: Readonly<{ latency: RaceEntry['latency_ms']; slowest: number }>) {
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
function Hosts({ hosts }: Readonly<{ hosts: RaceEntry['hosts'] }>) {
  const [busiest] = hosts.filter(({ share }) => share).toSorted((a, b) => (b.share ?? 0) - (a.share ?? 0));
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
const needless = ({ moved_keys: keys }: RaceEntry): number | null =>
  keys === null ? null : Math.max(0, keys.moved - keys.minimum);

const over = (value: number | null, most: number): number => (value === null || most === 0 ? 0 : value / most);

const known = (value: number | null, shown: (value: number) => string): string => (value === null ? '–' : shown(value));

const milliseconds = (value: number): string => `${Number(value.toPrecision(3))} ms`;
const threeDigits = (value: number): string => String(Number(value.toFixed(3)));

const winnerOf = ({ clusters }: Race): string =>
  Object.entries(clusters)
    .flatMap(([cluster, [first]]) => {
      if (first === undefined) return [];
      const { policy, failed, latency_ms: latency } = first;
      const where = Object.keys(clusters).length > 1 ? `${visible(cluster, 120)}: ` : '';
      return [
        `${where}${visible(policy, 120)} comes first, ${known(failed, percent)} failed, p99 ${known(latency.p99, milliseconds)}.`,
      ];
    })
    .join(' ');
