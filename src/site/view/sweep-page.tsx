import { useState } from 'preact/hooks';
import type { SweepPoint } from '../../index.js';
import { counted, visible } from '../number-format.js';
import type { Report } from '../report.js';
import { chartOf, firstField, type SweepPicture } from '../sweep-lines.js';
import { ChartFigure, estimate } from './chart-figure.js';
import { Choice, type Column, DataTable } from './controls.js';
import { ReportHead, Text } from './report-page.js';

export function SweepPage({ report, picture }: Readonly<{ report: Report; picture: SweepPicture }>) {
  const { sweep, measures, fields, answer } = picture;
  const [along, choose] = useState(firstField(picture));
  const nameOf = (path: string): string => visible(fields[path] ?? path, 60);
  return (
    <div class="page report">
      <ReportHead
        title={sweep.scenario}
        facts={[
          `${report.madeBy} sweep`,
          counted(sweep.points, 'point'),
          `${sweep.search === undefined ? '' : 'up to '}${counted(sweep.seeds.length, 'run')} of each`,
          `proxy ${sweep.version}`,
          ...(sweep.partial === true ? ['interrupted: points are missing'] : []),
        ].join(' · ')}
      />
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
              along <Choice value={along} of={sweep.paths.map((path) => [path, nameOf(path)])} choose={choose} />
            </label>
          )}
        </div>
        {measures.map((measure) => (
          <ChartFigure
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
          rows={sweep.results}
          isChosen={({ point }) => point === sweep.search?.best}
          columns={[
            ...sweep.paths.map((path): Column<SweepPoint> => [
              nameOf(path),
              ({ values }) => visible(values[path] ?? '', 60),
            ]),
            ['runs', ({ runs }) => runs, 'number'],
            ...measures.map(({ name, unit }, place): Column<SweepPoint> => [
              visible(name, 60),
              ({ measures: found, problem }) =>
                problem === undefined ? estimate(found[name], unit) : place === 0 ? visible(problem, 300) : '',
              'number',
            ]),
          ]}
        />
      </section>
      <Text text={report.text} />
    </div>
  );
}
