import type { JSX } from 'preact';
import { app, useCluster, useStore } from '../app-state.js';
import type { DifferencePicture, RunPicture } from '../engine/picture.js';
import { percent, visible } from '../number-format.js';
import { DataTable } from './data-table.js';

/** What differs between A and B, in numbers: what is clear in bold. */
export function Difference(): JSX.Element {
  const difference = useStore(app, (state) => state.difference);
  const runs = [useStore(app, (state) => state.pinned?.run), useStore(app, (state) => state.run)] as const;
  if (difference === undefined) return <p class="empty">Comparing A with B, three runs each …</p>;
  return <DifferenceTable difference={difference} runs={runs} />;
}

export function DifferenceTable({
  difference: { clusters, sentences },
  runs: [a, b],
}: {
  readonly difference: DifferencePicture;
  readonly runs: readonly [RunPicture | undefined, RunPicture | undefined];
}): JSX.Element {
  const cluster = useCluster(b);
  const crossing = [useCluster(a), cluster].map((one) => one?.fleet?.cross_zone.share);
  const rows = [
    ...(clusters[cluster?.name ?? ''] ?? []),
    ...(crossing.some((share) => share !== undefined)
      ? [
          {
            name: 'crosses zones',
            a: percent(crossing[0] ?? NaN),
            b: percent(crossing[1] ?? NaN),
            change: '',
            clear: crossing[0] !== crossing[1],
          },
        ]
      : []),
  ];
  return (
    <>
      <DataTable
        class="difference"
        caption="Means of the runs, the change with its 95 % interval"
        rows={rows}
        isChosen={({ clear }) => clear}
        columns={[
          ['', ({ name }) => visible(name, 80)],
          ['A', ({ a: before }) => before, 'number'],
          ['B', ({ b: after }) => after, 'number'],
          ['Change', ({ change }) => change, 'number'],
        ]}
      />
      {sentences.map((sentence) => (
        <p key={sentence}>{visible(sentence, 1000)}</p>
      ))}
    </>
  );
}
