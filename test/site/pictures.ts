import type { ClusterPicture, RunPicture } from '../../src/site/engine/picture.js';
import { Engine } from '../../src/site/engine/engine.js';
import type { RunAnswer } from '../../src/site/engine/protocol.js';

/** What the page draws of a scenario, by the same engine, without a browser. */
export async function pictureOf(text: string): Promise<RunPicture> {
  const answers: RunAnswer[] = [];
  const engine = new Engine({
    post: (message) => {
      if (message.kind === 'answer') answers.push(message.value as RunAnswer);
      if (message.kind === 'defect') throw new Error(message.message);
    },
    nowMs: () => 0,
    turn: () => Promise.resolve(),
  });
  await engine.receive({ kind: 'run', id: 1, subject: { files: [{ file: 'a.yaml', text }], overrides: {} } });
  const picture = answers[0]?.picture;
  if (picture === undefined) throw new Error(JSON.stringify(answers[0]?.problems));
  return picture;
}

export function clusterNamed(run: RunPicture, name: string): ClusterPicture {
  const cluster = run.clusters.find((one) => one.name === name);
  if (cluster === undefined) throw new Error(`no cluster ${name}`);
  return cluster;
}
