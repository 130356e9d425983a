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
  return (
    <div class="sides">
      <SideHead side="A" run={pinned} />
      <SideHead side="B" run={run} />
      <Flow run={pinned} />
      <Flow {...current} />
      <Lanes run={pinned} />
      <Lanes run={run} />
      <Charts run={pinned} beside={run} />
      <Charts run={run} beside={pinned} />
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
