import { verificationInWords } from '../../words/results.js';
import { FORMAT } from '../../core/document-format.js';
import { MODERN_PROXY_VERSION } from '../../core/version.js';
import { findProxy, NoProxy } from '../../real-proxy/find-proxy.js';
import { NoLoopback } from '../../real-proxy/guarded-process.js';
import { ProxyFails } from '../../real-proxy/proxy-process.js';
import { verify } from '../../real-proxy/verify.js';
import { verifyReport } from '../../report/verify-report.js';
import { ExitCode, UsageError } from '../errors.js';
import { longWork } from '../long-work.js';
import { type LayoutOptions, writeAnswer } from '../output/report-options.js';
import { readRunnable, type ScenarioOptions } from '../input/scenario-file.js';
import type { Session } from '../session.js';
import type { LbsimCommand } from '../program/lbsim-command.js';
import { ENVOY, FILES, SEED, wholeNumber } from '../program/shared-options.js';

export function addVerify(command: LbsimCommand): void {
  command
    .description(
      'Gives a real proxy on this machine each state that the hosts of a scenario get into: the same clusters, the same ' +
        'hosts with the same health, weights and places, the same keys. Compares shares, the host of every key, the order of ' +
        'picks and what balancers count. Exit code 1 if they differ. Nothing leaves loopback.',
    )
    .argument(...FILES)
    .option(...ENVOY)
    .option('--requests <N>', 'requests of each workload in each state (default: 1000)', wholeNumber(100, 1_000_000))
    .option('--live', 'let one proxy go through all states: hosts change by EDS while it runs')
    .option('--json', 'print all that was compared as one JSON document')
    .option(...SEED)
    .scenarioOptions()
    .layoutOptions('list every host and every statistic, those that agree too')
    .examples(
      'lbsim verify scenarios/zone-dying.yaml',
      'lbsim verify scenarios/rolling-deploy.yaml --live',
      'lbsim verify envoy.yaml --hosts backend=10.0.0.1:80,10.0.0.2:80',
      'lbsim verify scenarios/tiny-ring.yaml --envoy /usr/local/bin/envoy --requests 10000',
    )
    .does(verifyCommand);
}

export interface VerifyOptions extends ScenarioOptions, LayoutOptions {
  readonly envoy?: string;
  readonly requests?: number;
  readonly live?: boolean;
}

const REQUESTS = 1000;

/** `lbsim verify FILE…` */
export async function verifyCommand(
  files: readonly string[],
  options: VerifyOptions,
  session: Session,
): Promise<ExitCode> {
  const { proxyVersion = MODERN_PROXY_VERSION, envoy, requests = REQUESTS, live } = options;
  if (proxyVersion !== MODERN_PROXY_VERSION) {
    throw new UsageError(`--proxy-version: only ${MODERN_PROXY_VERSION} can be verified, older proxies do not read v3`);
  }
  const { scenario, printProblems } = await readRunnable(files, { ...options, proxyVersion }, session);
  try {
    const binary = await findProxy(envoy, session.io.env);
    const found = await longWork('verifying', session, (pause) => verify(scenario, { binary, requests, live, pause }));
    await writeAnswer({ format: FORMAT, ...verificationInWords(found) }, verifyReport, options, session);
    await printProblems();
    return found.agrees ? ExitCode.ok : ExitCode.failed;
  } catch (error) {
    if (error instanceof NoProxy || error instanceof ProxyFails || error instanceof NoLoopback)
      throw new UsageError(error.message);
    throw error;
  }
}
