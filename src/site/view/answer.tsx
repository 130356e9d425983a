import type { JSX } from 'preact';
import { app, useStore } from '../app-state.js';
import type { Session } from '../session.js';
import { count, counted, plainSeconds, seconds, visible } from '../number-format.js';

/** Characters of the answer that are read at once; more clusters have more to say. */
const AT_ONCE = 500;

/** What follows the first sentence. */
export function More({ sentences }: { readonly sentences: readonly string[] }): JSX.Element | null {
  if (sentences.length === 0) return null;
  let length = 0;
  const shown = sentences.filter((sentence, index) => (length += sentence.length) <= AT_ONCE || index === 0);
  const rest = sentences.slice(shown.length);
  return (
    <>
      <p class="more">{shown.join(' ')}</p>
      {rest.length > 0 && (
        <details class="more">
          <summary>and {counted(rest.length, 'sentence')} more</summary>
          <p>{rest.join(' ')}</p>
        </details>
      )}
    </>
  );
}

/** The answer in a sentence, before any picture; and the state of the run. */
export function Answer({ session }: { readonly session: Session }): JSX.Element {
  const run = useStore(app, (state) => state.run);
  const progress = useStore(app, (state) => state.progress);
  const problems = useStore(app, (state) => state.check?.problems);
  const errors = problems?.filter(({ severity }) => severity === 'error').length ?? 0;
  const [first = 'Reading …', ...more] = run?.answer ?? [];
  return (
    <section class="answer" aria-label="Answer" aria-busy={progress !== undefined}>
      {run !== undefined && run.description !== '' && <p class="question">{visible(run.description, 500)}</p>}
      <p class="headline" role="status">
        {run?.partial === true && <strong>Stopped at {plainSeconds(run.durationS)}. </strong>}
        {first}
      </p>
      <More sentences={more} />
      {run !== undefined && (
        <p class="facts">
          {visible(run.scenario)} · {count(run.requests)} requests in {seconds(run.durationS, run.durationS)} · proxy{' '}
          {run.versions.join(', ')} · seed {visible(run.seed, 40)}
          {run.elapsedMs !== undefined && ` · simulated in ${count(run.elapsedMs)} ms`}
          {run.expect.length > 0 &&
            ` · ${run.expect.filter(({ passed }) => passed).length} of ${run.expect.length} expectations hold`}
        </p>
      )}
      {errors > 0 && run !== undefined && (
        <p class="stale">The text has errors: this is what the last text without them gave.</p>
      )}
      {progress !== undefined && (
        <p class="progress">
          <progress value={progress} max={1} aria-label="Progress of the run" />
          <button type="button" onClick={() => void session.cancel()}>
            Stop the run
          </button>
        </p>
      )}
    </section>
  );
}
