import type { JSX } from 'preact';
import { app } from '../app-state.js';
import type { RunPicture } from '../engine/picture.js';
import { visible } from '../number-format.js';
import type { Session } from '../session.js';
import { useStore } from '../store.js';
import { Charts } from './charts.js';
import { Flow } from './flow.js';
import { Lanes } from './lanes.js';
import { useCluster } from './use-run.js';

/** The pictures of the run, or those of two runs side by side on one clock. */
export function Pictures({ session }: { readonly session: Session }): JSX.Element {
  const run = useStore(app, (state) => state.run);
  const ahead = useStore(app, (state) => state.ahead);
  const current = { run: ahead ?? run, isAhead: ahead !== undefined, onWeight: session.weigh };
  const pinned = useStore(app, (state) => state.pinned?.run);
  if (pinned === undefined) {
    return (
      <>
        <Flow {...current} />
        <Lanes run={run} />
        <Charts run={run} />
      </>
    );
  }
  return <Sides a={pinned} b={run} flowOfB={<Flow {...current} />} />;
}

/** Two runs on one clock. */
export function Sides({
  a,
  b,
  flowOfB,
}: {
  readonly a: RunPicture;
  readonly b: RunPicture | undefined;
  readonly flowOfB: JSX.Element;
}): JSX.Element {
  return (
    <div class="sides">
      <SideHead side="A" run={a} />
      <SideHead side="B" run={b} />
      <Flow run={a} />
      {flowOfB}
      <Lanes run={a} />
      <Lanes run={b} />
      <Charts run={a} beside={b} />
      <Charts run={b} beside={a} />
    </div>
  );
}

function SideHead({ side, run }: { readonly side: 'A' | 'B'; readonly run: RunPicture | undefined }): JSX.Element {
  const cluster = useCluster(run);
  return (
    <h3 class="side-head">
      <span class="letter">{side}</span> {cluster?.policy} · proxy {run?.versions.join(', ')}{' '}
      <span class="sum">{visible(run?.answer[0] ?? '', 160)}</span>
    </h3>
  );
}
