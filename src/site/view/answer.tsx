import { useMemo } from 'preact/hooks';
import { app, useApp, useCluster, useStore } from '../app-state.js';
import type { DifferencePicture } from '../engine/difference.js';
import type { RunPicture } from '../engine/draw-picture.js';
import { clusterOf } from '../instant.js';
import { count, headlineOf, percent, plainSeconds, seconds, visible } from '../number-format.js';
import { lineDiff } from '../line-diff.js';
import type { SourceFile } from '../link.js';
import { Choice, DataTable, Paragraphs } from './controls.js';

/** `stopped`: the run was stopped then. */
type SentenceProps = Readonly<{ told: readonly string[]; stopped?: number | undefined }>;

export const Sentence = ({ told: [first = 'Reading …'], stopped }: SentenceProps) => (
  <p class="headline" role="status" title={visible(first, 1000)}>
    {stopped !== undefined && <strong>Stopped at {plainSeconds(stopped)}. </strong>}
    {visible(headlineOf(first), 1000)}
  </p>
);

export function Happened({ sentences }: Readonly<{ sentences: readonly string[] }>) {
  const [first = ''] = sentences;
  if (sentences.length < 2 && headlineOf(first) === first) return null;
  return (
    <details class="over happened">
      <summary>what happened</summary>
      <div>
        <Paragraphs of={sentences} most={4000} />
      </div>
    </details>
  );
}

export function factsOf(run: RunPicture, by = visible(run.scenario)): string {
  const { requests, noun, durationS, versions, seed, elapsedMs, expect } = run;
  return [
    by,
    ...(requests > 0 ? [`${count(requests)} ${noun} in ${seconds(durationS, durationS)}`] : []),
    `proxy ${versions.join(', ')}`,
    ...(seed === '' ? [] : [`seed ${visible(seed, 40)}`]),
    ...(elapsedMs === undefined ? [] : [`simulated in ${count(elapsedMs)} ms`]),
    ...(expect.length > 0
      ? [`${expect.filter(({ passed }) => passed).length} of ${expect.length} expectations hold`]
      : []),
  ].join(' · ');
}

export function ClusterChoice() {
  const { run } = useApp('run');
  const chosen = useStore(app, (state) => clusterOf(state.run, state.cluster)?.name);
  if (run === undefined || run.clusters.length < 2) return null;
  return (
    <label class="cluster-choice">
      Cluster{' '}
      <Choice
        value={chosen ?? ''}
        of={run.clusters.map(({ name }) => [name, visible(name, 80)])}
        choose={(cluster) => app.set({ cluster, host: undefined })}
      />
    </label>
  );
}

export function Difference() {
  const { difference } = useApp('difference');
  const before = useStore(app, (state) => textOf(state.pinned?.subject.files ?? []));
  const after = useStore(app, ({ files }) => textOf(files));
  const runs = [useStore(app, (state) => state.pinned?.run), useStore(app, (state) => state.run)] as const;
  if (difference === undefined) return <p class="empty">Comparing A with B, three runs each …</p>;
  return (
    <>
      <DifferenceTable difference={difference} runs={runs} />
      {before !== after && <h3>The text of A and B</h3>}
      {before !== after && <TextDiff before={before} after={after} />}
    </>
  );
}

const textOf = (files: readonly SourceFile[]): string => files.map(({ text }) => text).join('\n');

type Drawn = RunPicture | undefined;
type DifferenceProps = Readonly<{ difference: DifferencePicture; runs: readonly [Drawn, Drawn] }>;

export function DifferenceTable({ difference: { clusters, sentences }, runs: [a, b] }: DifferenceProps) {
  const cluster = useCluster(b);
  const [before = NaN, after = NaN] = [useCluster(a), cluster].map((one) => one?.fleet?.cross_zone.share ?? NaN);
  const crosses = { name: 'crosses zones', a: percent(before), b: percent(after), change: '', clear: before !== after };
  const isKnown = !Number.isNaN(before) || !Number.isNaN(after);
  const rows = [...(clusters[cluster?.name ?? ''] ?? []), ...(isKnown ? [crosses] : [])];
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
      <Paragraphs of={sentences} />
    </>
  );
}

export function TextDiff({ before, after }: Readonly<{ before: string; after: string }>) {
  const lines = useMemo(() => lineDiff(before, after), [before, after]);
  return (
    <pre class="diff">
      {lines.map(([sign, line], index) => (
        <span key={index} data-sign={sign}>
          {sign} {visible(line, Infinity)}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}
