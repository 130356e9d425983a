import { readFile } from 'node:fs/promises';
import { NO_PAUSE } from '../../src/analysis/pause.js';
import { readRecording } from '../../src/real-proxy/recording.js';
import { play } from '../../src/real-proxy/play.js';
import { verify } from '../../src/real-proxy/verify.js';
import { loadScenario } from '../../src/scenario/load.js';
import { Check } from './check.js';
import { FormatError } from './fields.js';
import type { CaseOutcome } from './outcome.js';

export const isRecording = (content: unknown): boolean =>
  typeof content === 'object' && content !== null && 'proxies' in content && 'places' in content;

/** Compares what `--record` of `lbsim fuzz` or `verify` wrote. @param file the scenario lies beside it, as `.yaml`. */
export async function runRecording(file: string): Promise<readonly CaseOutcome[]> {
  const recording = readRecording(await readFile(file, 'utf8'));
  const text = await readFile(file.replace(/json$/, 'yaml'), 'utf8');
  const { scenario } = loadScenario({ file, text });
  if (scenario === undefined) throw new FormatError('the scenario beside it is refused');
  const { proxy_version: version, live } = recording;
  const asked = { binary: { file: '', version }, requests: 0, live, recording, pause: NO_PAUSE };
  const { situations } = await (recording.played === undefined
    ? verify(scenario, asked)
    : play(scenario, { ...asked, lastsMs: recording.played.lastsMs }));
  const check = new Check();
  for (const { from_s: from, splits, stats } of situations) {
    for (const { cluster, workload, agrees, keys, cookies, order } of splits) {
      const words = (): string => `${cluster} (${workload}) at ${from} s: ${JSON.stringify({ keys, cookies, order })}`;
      check.that('hosts', agrees, words);
      if (keys !== undefined) check.that('keys', keys.differ === 0, words);
      if (cookies !== undefined) check.that('cookies', cookies.differ === 0, words);
    }
    for (const { name, agrees, proxy, lbsim } of stats)
      check.that('stats', agrees, () => `${name} at ${from} s: ${proxy}, simulated ${lbsim}`);
  }
  return [check.outcome(scenario.name, version)];
}
