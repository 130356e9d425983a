import { bounds } from '../../analysis/observe/bounds.js';
import { linesOfText } from '../../report/layout.js';
import { boundsReport, snippetOf } from '../../report/observe-report.js';
import { readRunnable } from '../input/scenario-file.js';
import { longWork } from '../long-work.js';
import { UsageError, type Work, writeAnswer } from '../session.js';

/** `lbsim bounds FILE…` */
export const boundsCommand: Work<'bounds'> = async (files, options, session) => {
  const { requests, falseAlarm, detect, workers, snippet } = options;
  const { scenario, printProblems } = await readRunnable(files, { ...options, purpose: 'predict' }, session);
  const found = await longWork('sampling', session, (pause) =>
    bounds(scenario, { requests, falseAlarm, detect, workers, pause }),
  );
  const [split] = found.splits;
  if (split === undefined)
    throw new UsageError('there is no cluster with several hosts, and no route to several clusters');
  if (snippet === undefined) await writeAnswer(found, boundsReport, options, session);
  else await session.out.writeAll(linesOfText(snippetOf(found, split, snippet)));
  await printProblems();
};
