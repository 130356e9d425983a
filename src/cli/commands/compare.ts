import { textOf } from '../../report/layout.js';
import { comparisonOf } from '../../analysis/compare/compare.js';
import { comparisonInWords } from '../../words/results.js';
import { compareReport } from '../../report/compare/compare-report.js';
import { UsageError } from '../errors.js';
import { longWork } from '../long-work.js';
import type { PageOptions } from '../output/page-files.js';
import { pageOf, refuseUnusedPlayable } from '../output/page-output.js';
import { type LayoutOptions, writeAnswer } from '../output/report-options.js';
import { printProblems } from '../input/scenario-file.js';
import type { Session } from '../session.js';
import { type ReadSide, type SideOptions, SideReader } from '../input/side-reader.js';
import { runAllSides, type SideRunOptions } from '../side-runs.js';
import { PROXY_VERSIONS } from '../../core/version.js';
import type { LbsimCommand } from '../program/lbsim-command.js';
import { DURATION, FORCE, gather, JOBS, PLAYABLE, wholeNumber } from '../program/shared-options.js';

export function addCompare(command: LbsimCommand): void {
  command
    .description(
      'Runs two scenarios under the same seeds and says who gains and who loses: shares, failures and latency at every ' +
        'phase, each change with its 95 % interval; shares that can be predicted are exact. Of hash policies also ' +
        'which part of all keys changes hands, and how much had to.\n\n' +
        'A and B are two files, or one configuration with --set or --version-b; or --policies says what differs. Files without ' +
        'clusters of their own, as a page of hosts, are part of a configuration and never a side. --set changes B, --set-a ' +
        'changes A; --unhealthy, --fail and --hosts reach both sides.',
    )
    .argument(
      '<FILE...>',
      'A and B, scenarios or what a proxy is configured with; one alone, or one with files that have no clusters, is A, and B with --set and --version-b; with --policies all are one configuration; "-" is standard input',
    )
    .option('--json', 'print the comparison as one JSON document')
    .scenarioOptions('change a field of B first, as clusters.backend.lb_policy=MAGLEV; repeatable')
    .option('--set-a <PATH=VALUE>', 'change a field of A first; repeatable', gather)
    .choice('--version-a <VERSION>', 'A behaves as this version', PROXY_VERSIONS)
    .choice('--version-b <VERSION>', 'B behaves as this version', PROXY_VERSIONS)
    .option('--policies <LIST>', 'what the files say under each of these policies, as ROUND_ROBIN,MAGLEV; or all')
    .option(
      '--replications, --runs <N>',
      'runs of each side, each with another seed (default: 10, less where they are long)',
      wholeNumber(1, 1000),
    )
    .option(...JOBS)
    .option('--seed <SEED>', 'seed of the first run, instead of the scenario’s')
    .option(...DURATION)
    .option('--all-single-host-failures', 'lose each host by itself: which keys move?')
    .option('--all-zone-failures', 'lose each zone: which keys move?')
    .option(
      '--html <OUT>',
      'write a report in one file for a browser: the comparison, and the pictures of each side; "-": standard output, no report',
    )
    .option(...PLAYABLE)
    .option(...FORCE)
    .layoutOptions()
    .examples(
      'lbsim compare before.yaml after.yaml',
      'lbsim compare canary.yaml --set clusters.backend.lb_policy=MAGLEV',
      'lbsim compare config_dump.json clusters.json --set clusters.backend.lb_policy=MAGLEV',
      'lbsim compare canary.yaml --version-a 1.17 --version-b 1.40',
      'lbsim compare canary.yaml --policies all',
      'lbsim compare sticky.yaml --policies RING_HASH,MAGLEV --all-single-host-failures',
    )
    .does(compareCommand);
}

export interface CompareOptions extends SideOptions, LayoutOptions, Omit<PageOptions, 'link'>, SideRunOptions {
  readonly allSingleHostFailures?: boolean;
  readonly allZoneFailures?: boolean;
}

/** `lbsim compare A [B]`, `lbsim compare FILE… --policies LIST` */
export async function compareCommand(
  inputs: readonly string[],
  options: CompareOptions,
  session: Session,
): Promise<void> {
  refuseUnusedPlayable(options);
  const { policies } = options;
  const reader = new SideReader(options, session);
  const sides = policies === undefined ? await bothOf(inputs, reader) : await reader.readPolicies(inputs, policies);
  const page = await pageOf(options, { inputs, named: reader.named, carried: sides }, session);
  const { allSingleHostFailures: singleHostFailures, allZoneFailures: zoneFailures } = options;
  const comparison = await longWork('comparing', session, async (pause, long) => {
    const ran = await runAllSides(sides, options, long, session);
    return comparisonInWords(await comparisonOf(ran, sides, { singleHostFailures, zoneFailures, pause }));
  });
  if (page?.isAnswer !== true) await writeAnswer(comparison, compareReport, options, session);
  await page?.write((layout, shared, { reportOfSides }) => {
    const text = textOf(compareReport(comparison, layout));
    return longWork('drawing', session, (pause) => reportOfSides('compare', sides, text, { shared, pause }));
  });
  await printProblems(reader.problems, reader.sources, inputs, session);
}

function bothOf(inputs: readonly string[], reader: SideReader): Promise<readonly ReadSide[]> {
  const once = inputs.indexOf('-') === inputs.lastIndexOf('-');
  if (!once) throw new UsageError('only one of the two can come from standard input');
  return reader.readBoth(inputs.length === 0 ? ['-'] : inputs);
}
