import type { JSX } from 'preact';
import type { RunPicture } from '../engine/picture.js';
import { hostNames } from '../run-at-time.js';
import { layoutFlow } from '../view/flow-layout.js';
import { FlowPicture } from '../view/flow.js';
import type { Telling } from './telling.js';

/** The flow at one instant, to be looked at. */
export function StillFlow({
  run,
  telling: { cluster, phase },
  width,
}: {
  readonly run: RunPicture;
  readonly telling: Telling;
  readonly width: number;
}): JSX.Element {
  const layout = layoutFlow(run, cluster, phase, width);
  return <FlowPicture layout={layout} phase={phase} names={hostNames(cluster)} width={width} />;
}
