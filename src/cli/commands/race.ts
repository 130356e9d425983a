import { textOf } from '../../report/layout.js';
import { raceOf } from '../../analysis/race.js';
import { raceReport } from '../../report/compare/race-report.js';
import { longWork } from '../long-work.js';
import { pageOf } from '../output/page-output.js';
import { writeAnswer, type Work } from '../session.js';
import { printProblems } from '../input/scenario-file.js';
import { everyPolicy, runAllSides, SideReader } from '../input/side-reader.js';

export const raceCommand: Work<'race'> = async (files, options, session) => {
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
};
