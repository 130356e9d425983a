import { textOf } from '../../report/layout.js';
import { raceOf } from '../../analysis/race.js';
import { raceReport } from '../../report/compare/race-report.js';
import { longWork } from '../long-work.js';
import type { PageOptions } from '../output/page-files.js';
import { pageOf, refuseUnusedPlayable } from '../output/page-output.js';
import { type LayoutOptions, writeAnswer } from '../output/report-options.js';
import { printProblems } from '../input/scenario-file.js';
import type { Session } from '../session.js';
import { everyPolicy, type SideOptions, SideReader } from '../input/side-reader.js';
import { runAllSides, type SideRunOptions } from '../side-runs.js';
import type { LbsimCommand } from '../program/lbsim-command.js';
import { DURATION, FILES, FORCE, JOBS, SEED, wholeNumber } from '../program/shared-options.js';

export function addRace(command: LbsimCommand): void {
  command
    .description(
      'Runs a scenario under each policy with the same seeds: the proxy’s own, the extensions of `lbsim policies`, and those that ' +
        '--policy names. Says who fails least, latency, how unevenly hosts are loaded (peak to mean, Jain’s index, coefficient of ' +
        'variation), and of hashing policies how many keys move without need where a host is lost.',
    )
    .argument(...FILES)
    .option('--json', 'print the race as one JSON document')
    .option('--policies <LIST>', 'only these, as ROUND_ROBIN,PEAK_EWMA (default: all)')
    .option(
      '--replications, --runs <N>',
      'runs of each policy, each with another seed (default: 10, less where they are long)',
      wholeNumber(1, 1000),
    )
    .option(...JOBS)
    .option(...SEED)
    .option(...DURATION)
    .scenarioOptions()
    .pageOptions()
    .option(...FORCE)
    .layoutOptions()
    .barOptions()
    .examples(
      'lbsim race scenarios/least-request-slow-host.yaml',
      'lbsim race canary.yaml --policies LEAST_REQUEST,PEAK_EWMA,mine --policy mine=./my-policy.mjs',
    )
    .does(raceCommand);
}

export interface RaceOptions extends SideOptions, LayoutOptions, PageOptions, SideRunOptions {}

/** `lbsim race FILE…` */
export async function raceCommand(files: readonly string[], options: RaceOptions, session: Session): Promise<void> {
  refuseUnusedPlayable(options);
  if (options.link !== undefined) return (await import('../output/page-files.js')).printLink(files, options, session);
  const { policies = 'all' } = options;
  const wanted = policies === 'all' ? everyPolicy(options).join() : policies;
  const reader = new SideReader(options, session);
  const sides = await reader.readPolicies(files, wanted);
  const page = await pageOf(
    options,
    { inputs: files, named: reader.named, carried: [{ sources: reader.sources, options }] },
    session,
  );
  const result = await longWork('racing', session, async (pause, long) =>
    raceOf(await runAllSides(sides, options, long, session), sides, { pause }),
  );
  if (page?.isAnswer !== true) await writeAnswer(result, raceReport, options, session);
  await page?.write((layout, shared, { reportOfSides }) => {
    const text = textOf(raceReport(result, layout));
    return longWork('drawing', session, (pause) => reportOfSides('race', sides, text, { shared, pause, race: result }));
  });
  await printProblems(reader.problems, reader.sources, files, session);
}
