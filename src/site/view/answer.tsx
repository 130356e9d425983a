import type { JSX } from 'preact';
import { app, useStore } from '../app-state.js';
import type { RunPicture } from '../engine/picture.js';
import { clusterOf } from '../run-at-time.js';
import type { Session } from '../session.js';
import { count, plainSeconds, seconds, visible } from '../number-format.js';

/** The sentence over the picture, or what differs between two; and what it is based on. It keeps its room whatever it says. */
export function Answer({ session }: { readonly session: Session }): JSX.Element {
  const run = useStore(app, (state) => state.run);
  const progress = useStore(app, (state) => state.progress);
  const pinned = useStore(app, (state) => state.pinned !== undefined);
  const difference = useStore(app, (state) => state.difference);
  const told = pinned ? (difference?.sentences ?? ['Comparing A with B, three runs each …']) : (run?.answer ?? []);
  return (
    <section class="answer" aria-label={pinned ? 'A compared with B' : 'Answer'} aria-busy={progress !== undefined}>
      <Sentence told={told} stopped={!pinned && run?.partial === true ? run.durationS : undefined} />
      <div class="facts-line">
        {run !== undefined && <p class="facts">{factsOf(run)}</p>}
        <Happened sentences={told} />
        {progress !== undefined && (
          <p class="progress">
            <progress value={progress} max={1} aria-label="Progress of the run" />
            <button type="button" onClick={() => void session.cancel()}>
              Stop the run
            </button>
          </p>
        )}
      </div>
    </section>
  );
}

/** The first sentence. */
export function Sentence({
  told: [first = 'Reading …'],
  stopped,
}: {
  readonly told: readonly string[];
  /** The run was stopped then. */
  readonly stopped?: number | undefined;
}): JSX.Element {
  const text = visible(first, 1000);
  return (
    <p class="headline" role="status" title={text}>
      {stopped !== undefined && <strong>Stopped at {plainSeconds(stopped)}. </strong>}
      {text}
    </p>
  );
}

/** The whole account, over the page. */
export function Happened({ sentences }: { readonly sentences: readonly string[] }): JSX.Element | null {
  if (sentences.length < 2) return null;
  return (
    <details class="over happened">
      <summary>what happened</summary>
      <div>
        {sentences.map((sentence) => (
          <p key={sentence}>{visible(sentence, 4000)}</p>
        ))}
      </div>
    </details>
  );
}

/** What an answer is based on. @param by who gave it. */
export function factsOf(run: RunPicture, by = visible(run.scenario)): string {
  const { requests, durationS, versions, seed, elapsedMs, expect } = run;
  return [
    by,
    ...(requests > 0 ? [`${count(requests)} requests in ${seconds(durationS, durationS)}`] : []),
    `proxy ${versions.join(', ')}`,
    ...(seed === '' ? [] : [`seed ${visible(seed, 40)}`]),
    ...(elapsedMs === undefined ? [] : [`simulated in ${count(elapsedMs)} ms`]),
    ...(expect.length > 0
      ? [`${expect.filter(({ passed }) => passed).length} of ${expect.length} expectations hold`]
      : []),
  ].join(' · ');
}

/** The selection of a cluster; nothing where there is only one. */
export function ClusterChoice(): JSX.Element | null {
  const run = useStore(app, (state) => state.run);
  const chosen = useStore(app, (state) => clusterOf(state.run, state.cluster)?.name);
  if (run === undefined || run.clusters.length < 2) return null;
  return (
    <label class="cluster-choice">
      Cluster{' '}
      <select
        value={chosen ?? ''}
        onChange={(event) => app.set({ cluster: event.currentTarget.value, host: undefined })}
      >
        {run.clusters.map(({ name }) => (
          <option key={name} value={name}>
            {visible(name, 80)}
          </option>
        ))}
      </select>
    </label>
  );
}
