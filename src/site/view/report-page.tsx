import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { app, clock } from '../app-state.js';
import { count, seconds, visible } from '../number-format.js';
import type { Report } from '../report.js';
import { Charts } from './charts.js';
import { ClusterChoice } from './cluster-choice.js';
import { EventList } from './event-list.js';
import { Flow } from './flow.js';
import { Lanes } from './lanes.js';
import { Reasons } from './reasons.js';
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
    if (run !== undefined && clock.now.t > run.durationS) clock.set({ t: run.durationS });
  };
  if (picture === undefined) return <p class="empty">This report holds nothing.</p>;
  const [first = '', ...more] = picture.answer;
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
        {more.length > 0 && <p class="more">{more.join(' ')}</p>}
        {report.sides.length > 1 && (
          <label class="side-choice">
            Shown below{' '}
            <select value={side} onChange={(event) => show(Number(event.currentTarget.value))}>
              {report.sides.map(({ name }, place) => (
                <option key={name} value={place}>
                  {visible(name, 120)}
                </option>
              ))}
            </select>
          </label>
        )}
      </section>
      {report.sides.length > 1 && <Text text={report.text} />}
      <main class="panels">
        <section class="panel picture" aria-labelledby="picture-title">
          <div class="picture-head">
            <h2 id="picture-title">Flow</h2>
            <ClusterChoice />
          </div>
          <Flow run={picture} />
          <Lanes run={picture} />
          <Charts run={picture} />
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
      {report.sides.length === 1 && <Text text={report.text} />}
      <Transport />
    </div>
  );
}

/** The report as the command prints it. */
function Text({ text }: { readonly text: string }): JSX.Element {
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
    ...(run.totals.requests > 0 ? [`${count(run.totals.requests)} requests`] : []),
    ...(run.durationS > 0 ? [seconds(run.durationS, run.durationS)] : []),
    `proxy ${run.versions.join(', ')}`,
    ...(run.seed === '' ? [] : [`seed ${visible(run.seed, 40)}`]),
    ...(run.expect.length > 0
      ? [`${run.expect.filter(({ passed }) => passed).length} of ${run.expect.length} expectations hold`]
      : []),
  ].join(' · ');
}
