import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FuzzDifference } from '../../analysis/fuzz/fuzz-result.js';
import { present } from '../../core/values.js';
import { FORMAT } from '../../core/document-format.js';
import { findProxy } from '../../real-proxy/guarded-process.js';
import { fuzz } from '../../real-proxy/fuzz.js';
import { recordingText } from '../../real-proxy/recording.js';
import { fuzzReport } from '../../report/verify-report.js';
import { ExitCode, type Session, type Work, writeAnswer } from '../session.js';
import { longWork } from '../long-work.js';
import { writeOutput, written } from '../output/output-files.js';

const RUNS = 500;
const REQUESTS = 200;
/** Seconds. */
const SHRINK = 60;

export const fuzzCommand: Work<'fuzz'> = async (options, session) => {
  const {
    envoy,
    runs = RUNS,
    routes,
    played,
    seed = 1,
    requests = REQUESTS,
    shrink = SHRINK,
    save,
    record: keep,
  } = options;
  const timelines = options.timelines === true;
  const binary = await findProxy(envoy, session.io.env);
  for (const each of present([save, keep])) await written(each, () => mkdir(each, { recursive: true }));
  const found = await longWork('fuzzing', session, (pause, { interrupt }) =>
    fuzz({
      ...{ binary, runs, seed, timelines, routes, played, requests, shrinkMs: shrink * 1000, pause },
      keep:
        keep === undefined
          ? undefined
          : async (name, scenario, recording) => {
              await writeNew('--record', join(keep, `${name}.yaml`), scenario, session);
              await writeNew('--record', join(keep, `${name}.json`), recordingText(recording), session);
            },
      isOver: () => interrupt.happened,
      found: async (difference) => (save === undefined ? undefined : saved(save, difference, session)),
    }),
  );
  await writeAnswer({ format: FORMAT, ...found }, fuzzReport, options, session);
  if (found.interrupted) {
    await session.err.write(`lbsim: interrupted after ${found.tried} mixes; --seed ${found.next_seed} goes on.\n`);
    return ExitCode.interrupted;
  }
  return found.differences.length === 0 ? ExitCode.ok : ExitCode.failed;
};

const writeNew = (option: string, file: string, text: string, session: Session): Promise<void> =>
  writeOutput(text, option, file, { inputs: [], named: [], force: true }, session);

/** The scenario, and what a proxy falls at in a folder beside it. @returns where the scenario is. */
async function saved(folder: string, difference: FuzzDifference, session: Session): Promise<string> {
  const { seed, mix, scenario, crash } = difference;
  const save = (file: string, text: string): Promise<void> => writeNew('--save', file, text, session);
  const path = join(folder, `mix-${seed}-${mix}`);
  const file = `${path}.yaml`;
  await save(file, scenario);
  if (crash === undefined) return file;
  await written(path, () => mkdir(path, { recursive: true }));
  const commands = `#!/bin/sh\ncd "$(dirname "$0")"\n${crash.commands.join('\n')}\n`;
  for (const [name, text] of Object.entries({ ...crash.files, 'crash.sh': commands }))
    await save(join(path, name), text);
  return file;
}
