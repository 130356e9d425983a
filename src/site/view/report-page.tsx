import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { app, clock, durationOf } from '../app-state.js';
import type { RunPicture } from '../engine/picture.js';
import { count, seconds, visible } from '../number-format.js';
import type { Report } from '../report.js';
import { More } from './answer.js';
import { ClusterChoice } from './choice.js';
import { EventList, Reasons } from './reasons.js';
import { PicturesOf } from './pictures.js';
import { RaceBoard, winnerOf } from './race-board.js';
import { Split } from './split.js';
import { ThemeButton } from './theme-button.js';
import { Transport } from './transport.js';

/** A report in one file: the pictures of the playground, without its engine. It is read, played and printed. */
export function ReportPage({ report }: { readonly report: Report }): JSX.Element {
  const [side, choose] = useState(0);
  const picture = report.sides[side]?.picture;
  const show = (place: number): void => {
    choose(place);
    const run = report.sides[place]?.picture;
    app.set({ run, host: undefined });
    clock.set({ t: Math.min(clock.now.t, durationOf(app.now)) });
  };
  if (picture === undefined) return <p class="empty">This report holds nothing.</p>;
  const { race } = report;
  const [first = '', ...more] = race === undefined ? picture.answer : [winnerOf(race)];
  const pair = pairOf(report);
  return (
    <div class="page report">
      <header class="top">
        <h1>{visible(picture.scenario, 200)}</h1>
        <p class="facts">{factsOf(report, picture)}</p>
        <ThemeButton />
        <button type="button" onClick={() => print()}>
          Print
        </button>
      </header>
      <section class="answer" aria-label="Answer">
        {picture.description !== '' && <p class="question">{visible(picture.description, 500)}</p>}
        <p class="headline">{first}</p>
        <More sentences={more} />
        {report.sides.length > 1 && (
          <label class="side-choice">
            {pair === undefined ? 'Shown below' : 'Answer and details of'}{' '}
            <select value={side} onChange={(event) => show(Number(event.currentTarget.value))}>
              {report.sides.map(({ name }, place) => (
                <option key={name} value={place}>
                  {pair !== undefined && `${'AB'[place] ?? ''} `}
                  {visible(name, 120)}
                </option>
              ))}
            </select>
          </label>
        )}
      </section>
      {race !== undefined && (
        <RaceBoard
          race={race}
          shown={report.sides[side]?.name ?? ''}
          show={(policy) => show(report.sides.findIndex(({ name }) => name === policy))}
        />
      )}
      {report.sides.length > 1 && race === undefined && <Text text={report.text} />}
      <main class="panels" data-versus={pair !== undefined}>
        <section class="panel picture" aria-labelledby="picture-title">
          <div class="picture-head">
            <h2 id="picture-title">Flow</h2>
            <ClusterChoice />
          </div>
          <PicturesOf run={pair?.b ?? picture} beside={pair?.a} />
        </section>
        <section class="panel details" aria-labelledby="split-title">
          <h2 id="split-title">Split</h2>
          <Split />
          <h2>Why</h2>
          <Reasons />
          <h2>Events</h2>
          <EventList />
        </section>
      </main>
      {(report.sides.length === 1 || race !== undefined) && <Text text={report.text} />}
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

/** The report as the command prints it. */
export function Text({ text }: { readonly text: string }): JSX.Element {
  return (
    <section class="panel as-text" aria-labelledby="text-title">
      <h2 id="text-title">In words</h2>
      <pre tabindex={0}>{text}</pre>
    </section>
  );
}

function factsOf({ command, madeBy }: Report, run: Report['sides'][number]['picture']): string {
  return [
    `${madeBy} ${command}`,
    ...(run.requests > 0 ? [`${count(run.requests)} requests`] : []),
    ...(run.durationS > 0 ? [seconds(run.durationS, run.durationS)] : []),
    `proxy ${run.versions.join(', ')}`,
    ...(run.seed === '' ? [] : [`seed ${visible(run.seed, 40)}`]),
    ...(run.expect.length > 0
      ? [`${run.expect.filter(({ passed }) => passed).length} of ${run.expect.length} expectations hold`]
      : []),
  ].join(' · ');
}
