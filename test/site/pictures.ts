import type { ClusterPicture, RunPicture } from '../../src/site/engine/draw-picture.js';
import { Engine } from '../../src/site/engine/engine.js';

/** What the page draws of a scenario, by the same engine, without a browser. */
export async function pictureOf(text: string): Promise<RunPicture> {
  const engine = new Engine({ onProgress: () => undefined, nowMs: () => 0, turn: () => Promise.resolve() });
  const { picture, problems } = await engine.run({ files: [{ file: 'a.yaml', text }], overrides: {} });
  if (picture === undefined) throw new Error(JSON.stringify(problems));
  return picture;
}

export function clusterNamed(run: RunPicture, name: string): ClusterPicture {
  const cluster = run.clusters.find((one) => one.name === name);
  if (cluster === undefined) throw new Error(`no cluster ${name}`);
  return cluster;
}
