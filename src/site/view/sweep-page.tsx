import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { counted, visible } from '../number-format.js';
import type { Report } from '../report.js';
import { chartOf, firstField, type SweepPicture } from '../sweep-lines.js';
import { DataTable } from './data-table.js';
import { Text } from './report-page.js';
import { estimate, SweepChartFigure } from './sweep-chart.js';
import { ThemeButton } from './theme-button.js';

/** A sweep in one file: a chart of each number, and a table of all points. */
export function SweepPage({
  report: { madeBy, text },
  picture,
}: {
  readonly report: Report;
  readonly picture: SweepPicture;
}): JSX.Element {
  const { sweep, measures, fields, answer } = picture;
  const [along, choose] = useState(firstField(picture));
  const nameOf = (path: string): string => visible(fields[path] ?? path, 60);
  return (
    <div class="page report">
      <header class="top">
        <h1>{visible(sweep.scenario, 200)}</h1>
        <p class="facts">
          {[
            `${madeBy} sweep`,
            counted(sweep.points, 'point'),
            `${sweep.search === undefined ? '' : 'up to '}${counted(sweep.seeds.length, 'run')} of each`,
            `proxy ${sweep.version}`,
            ...(sweep.partial === true ? ['interrupted: points are missing'] : []),
          ].join(' · ')}
        </p>
        <ThemeButton />
        <button type="button" onClick={() => print()}>
          Print
        </button>
      </header>
      {answer !== '' && (
        <section class="answer" aria-label="Answer">
          <p class="headline">{answer}</p>
        </section>
      )}
      <section class="panel sweep" aria-labelledby="charts-title">
        <div class="picture-head">
          <h2 id="charts-title">Charts</h2>
          {sweep.paths.length > 1 && (
            <label>
              along{' '}
              <select value={along} onChange={(event) => choose(event.currentTarget.value)}>
                {sweep.paths.map((path) => (
                  <option key={path} value={path}>
                    {nameOf(path)}
                  </option>
                ))}
              </select>
            </label>
          )}
        </div>
        {measures.map((measure) => (
          <SweepChartFigure
            key={measure.name}
            measure={measure}
            field={nameOf(along)}
            chart={chartOf(picture, along, measure)}
          />
        ))}
        <p class="empty">Upright lines are the 95 % intervals of the means; all points have the same seeds.</p>
      </section>
      <section class="panel sweep" aria-labelledby="points-title">
        <h2 id="points-title">Points</h2>
        <DataTable
          heads={[...sweep.paths.map(nameOf), 'runs', ...measures.map(({ name }) => visible(name, 60))]}
          rows={sweep.results}
        >
          {({ point, values, runs, measures: found, problem }) => (
            <tr key={point} data-chosen={point === sweep.search?.best}>
              {sweep.paths.map((path) => (
                <th scope="row" key={path}>
                  {visible(values[path] ?? '', 60)}
                </th>
              ))}
              <td class="number">{runs}</td>
              {problem === undefined ? (
                measures.map(({ name, unit }) => (
                  <td key={name} class="number">
                    {estimate(found[name], unit)}
                  </td>
                ))
              ) : (
                <td colSpan={measures.length}>{visible(problem, 300)}</td>
              )}
            </tr>
          )}
        </DataTable>
      </section>
      <Text text={text} />
    </div>
  );
}
