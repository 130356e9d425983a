import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { app, useCluster, useStore } from '../app-state.js';
import type { RunPicture } from '../engine/picture.js';
import { visible } from '../number-format.js';
import type { Session } from '../session.js';
import { Chart } from './chart.js';
import { Flow, type FlowTouch } from './flow.js';
import { Lanes } from './lanes.js';
import { hostMenu, nodeMenu } from './levers.js';
import { type MenuItem, openMenu } from './menu.js';
import { chartsOf } from './series.js';

/** Quantities over time, below each other on one axis. */
function Charts({
  run,
  beside,
}: {
  readonly run: RunPicture | undefined;
  /** The other run of a comparison: scales are those of both. */
  readonly beside?: RunPicture | undefined;
}): JSX.Element | null {
  const cluster = useCluster(run);
  const other = useCluster(beside);
  const charts = useMemo(() => (cluster === undefined ? [] : chartsOf(cluster, other)), [cluster, other]);
  return (
    <div class="charts">
      {charts.map((data) => (
        <Chart key={data.title} data={data} />
      ))}
    </div>
  );
}

/** The pictures of the run, or those of two runs side by side on one clock. */
export function Pictures({ session }: { readonly session: Session }): JSX.Element {
  const run = useStore(app, (state) => state.run);
  const ahead = useStore(app, (state) => state.ahead);
  const pinned = useStore(app, (state) => state.pinned?.run);
  const touch = useMemo((): FlowTouch => {
    const open = (label: string, items: readonly MenuItem[], at: Parameters<typeof openMenu>[2]): void => {
      const isScenario = app.now.check?.isScenario !== false;
      const make = { name: 'Turn into a scenario to change it', act: () => void session.makeScenario() };
      if (items.length > 0) openMenu(label, isScenario ? items : [make], at);
    };
    return {
      onHost: (host, at) => open(`Change ${visible(host.address, 60)}`, hostMenu(session, host), at),
      onNode: (node, at) => open(`Change ${node.title}`, nodeMenu(session, node), at),
      onWeight: session.weigh,
    };
  }, [session]);
  const flow = <Flow run={ahead ?? run} isAhead={ahead !== undefined} touch={touch} />;
  return <PicturesOf run={run} beside={pinned} flow={flow} />;
}

/** Of a run, and of another one on its left on the same clock. */
export function PicturesOf({
  run,
  beside,
  flow = <Flow run={run} />,
}: {
  readonly run: RunPicture | undefined;
  readonly beside: RunPicture | undefined;
  readonly flow?: JSX.Element;
}): JSX.Element {
  const zoomed = useStore(app, (state) => state.zoom !== undefined);
  const isPair = beside !== undefined;
  return (
    <div class={isPair ? 'sides' : 'side'}>
      {isPair && (
        <div class="side">
          <SideHead side="A" run={beside} />
          <Flow run={beside} />
        </div>
      )}
      <div class="side">
        {isPair && <SideHead side="B" run={run} />}
        {flow}
      </div>
      {zoomed && (
        <button type="button" class="unzoom" onClick={() => app.set({ zoom: undefined })}>
          Show the whole run
        </button>
      )}
      {isPair && <Lanes run={beside} />}
      <Lanes run={run} />
      {isPair && <Charts run={beside} beside={run} />}
      <Charts run={run} beside={beside} />
    </div>
  );
}

function SideHead({ side, run }: { readonly side: 'A' | 'B'; readonly run: RunPicture | undefined }): JSX.Element {
  const cluster = useCluster(run);
  return (
    <h3 class="side-head">
      <span class="letter">{side}</span> {cluster?.policy} · proxy {run?.versions.join(', ')}
    </h3>
  );
}
