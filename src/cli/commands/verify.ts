import { verificationInWords } from '../../words/results.js';
import { FORMAT } from '../../core/document-format.js';
import { MODERN_PROXY_VERSION } from '../../core/version.js';
import { findProxy } from '../../real-proxy/guarded-process.js';
import { play } from '../../real-proxy/play.js';
import { readRecording, recordingText } from '../../real-proxy/recording.js';
import { verify, type VerifyOptions } from '../../real-proxy/verify.js';
import { verifyReport } from '../../report/verify-report.js';
import { ExitCode, UsageError, type Work, writeAnswer } from '../session.js';
import { longWork } from '../long-work.js';
import { readInput } from '../input/read-file.js';
import { openOutput } from '../output/output-files.js';
import { readRunnable } from '../input/scenario-file.js';

const REQUESTS = 1000;

export const verifyCommand: Work<'verify'> = async (files, options, session) => {
  const {
    proxyVersion = MODERN_PROXY_VERSION,
    envoy,
    record: target,
    recorded,
    play: playMs,
    requests = REQUESTS,
  } = options;
  if (proxyVersion !== MODERN_PROXY_VERSION)
    throw new UsageError(`--proxy-version: only ${MODERN_PROXY_VERSION} can be verified, older proxies do not read v3`);
  const asked = { ...options, proxyVersion, makesUpHosts: false };
  const { scenario, printProblems } = await readRunnable(files, asked, session);
  const recording = recorded === undefined ? undefined : readRecording(await readInput(recorded, session.io));
  const lastsMs = recording?.played?.lastsMs ?? playMs;
  const { live, proxy_version: version } = recording ?? { ...options, proxy_version: undefined };
  const binary = version === undefined ? await findProxy(envoy, session.io.env) : { file: '', version };
  const file = await openOutput('--record', target, { inputs: files, named: [] }, session);
  const record: VerifyOptions['record'] = file && (async (done) => file.write(recordingText(done)));
  const found = await longWork('verifying', session, (pause) =>
    lastsMs !== undefined
      ? play(scenario, { binary, lastsMs, pause, recording, record })
      : verify(scenario, { binary, requests, live, pause, recording, record }),
  );
  await file?.close();
  await writeAnswer({ format: FORMAT, ...verificationInWords(found) }, verifyReport, options, session);
  await printProblems();
  return found.agrees ? ExitCode.ok : ExitCode.failed;
};
