import { textOf } from '../../report/layout.js';
import { comparisonOf } from '../../analysis/compare/compare.js';
import { comparisonInWords } from '../../words/results.js';
import { compareReport } from '../../report/compare/compare-report.js';
import { ExitCode, UsageError, type Work, writeAnswer } from '../session.js';
import { longWork } from '../long-work.js';
import { pageOf } from '../output/page-output.js';
import { printProblems } from '../input/scenario-file.js';
import { everyPolicy, type ReadSide, runAllSides, SideReader } from '../input/side-reader.js';
import { raceOf } from '../../analysis/race.js';
import { raceReport } from '../../report/compare/race-report.js';

export const compareCommand: Work<'compare'> = async (inputs, options, session) => {
  const { policies } = options;
  const reader = new SideReader(options, session);
  const sides = policies === undefined ? await bothOf(inputs, reader) : await reader.readPolicies(inputs, policies);
  const page = await pageOf(options, { inputs, named: reader.named, carried: sides }, session);
  const { allSingleHostFailures: singleHostFailures, allZoneFailures: zoneFailures, versionA, versionB } = options;
  const upgrade = versionA !== undefined || versionB !== undefined;
  const comparison = await longWork('comparing', session, async (pause, long) => {
    const ran = await runAllSides(sides, options, long, session);
    return comparisonInWords(await comparisonOf(ran, sides, { singleHostFailures, zoneFailures, upgrade, pause }));
  });
  if (page?.isAnswer !== true) await writeAnswer(comparison, compareReport, options, session);
  await page?.write((layout, shared, { reportOfSides }) =>
    longWork('drawing', session, (pause) =>
      reportOfSides('compare', sides, textOf(compareReport(comparison, layout)), { shared, pause, comparison }),
    ),
  );
  await printProblems(reader.problems, reader.sources, inputs, session);
};

function bothOf(inputs: readonly string[], reader: SideReader): Promise<readonly ReadSide[]> {
  const once = inputs.indexOf('-') === inputs.lastIndexOf('-');
  if (!once) throw new UsageError('only one of the two can come from standard input');
  return reader.readBoth(inputs.length === 0 ? ['-'] : inputs);
}

export const raceCommand: Work<'race'> = async (files, options, session) => {
  if (options.link !== undefined) return (await import('../output/page-files.js')).printLink(files, options, session);
  const { policies = 'all' } = options;
  const wanted = policies === 'all' ? everyPolicy(options).join() : policies;
  const reader = new SideReader(options, session);
  const sides = await reader.readPolicies(files, wanted);
  const carried = [{ sources: reader.sources, options }];
  const page = await pageOf(options, { inputs: files, named: reader.named, carried }, session);
  const result = await longWork('racing', session, async (pause, long) =>
    raceOf(await runAllSides(sides, options, long, session), sides, { pause }),
  );
  if (page?.isAnswer !== true) await writeAnswer(result, raceReport, options, session);
  await page?.write((layout, shared, { reportOfSides }) => {
    const text = textOf(raceReport(result, layout));
    return longWork('drawing', session, (pause) => reportOfSides('race', sides, text, { shared, pause, race: result }));
  });
  await printProblems(reader.problems, reader.sources, files, session);
  return ExitCode.ok;
};
