import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { app, clock, durationOf } from '../app-state.js';
import type { RunPicture } from '../engine/picture.js';
import { visible } from '../number-format.js';
import type { Report } from '../report.js';
import { ClusterChoice, factsOf, Happened, Sentence } from './answer.js';
import { EventList, Reasons } from './reasons.js';
import { PicturesOf } from './pictures.js';
import { RaceBoard, winnerOf } from './race-board.js';
import { Split } from './split.js';
import { ThemeButton } from './theme-button.js';
import { Transport } from './transport.js';
import { DifferenceTable } from './versus.js';

/** The head of every report. */
export function ReportHead({ title, facts }: { readonly title: string; readonly facts: string }): JSX.Element {
  return (
    <header class="top">
      <h1>{visible(title, 200)}</h1>
      <p class="facts">{facts}</p>
      <ThemeButton />
      <button type="button" onClick={() => print()}>
        Print
      </button>
    </header>
  );
}

/** A report in one file: the pictures of the playground, without its engine. It is read, played and printed. */
export function ReportPage({ report }: { readonly report: Report }): JSX.Element {
  const [side, choose] = useState(0);
  const picture = report.sides[side]?.picture;
  const show = (place: number): void => {
    choose(place);
    app.set({ run: report.sides[place]?.picture, host: undefined });
    clock.set({ t: Math.min(clock.now.t, durationOf(app.now)) });
  };
  if (picture === undefined) return <p class="empty">This report holds nothing.</p>;
  const { race, difference } = report;
  const pair = pairOf(report);
  const told = race !== undefined ? [winnerOf(race)] : (difference?.sentences ?? picture.answer);
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

/** The report as the command prints it. */
export function Text({ text }: { readonly text: string }): JSX.Element {
  return (
    <section class="panel as-text" aria-labelledby="text-title">
      <h2 id="text-title">In words</h2>
      <pre tabindex={0}>{text}</pre>
    </section>
  );
}
