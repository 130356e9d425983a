import { curve } from '../../words/library.js';
import { NoPrediction } from '../../analysis/find/losses.js';
import { curveReport } from '../../report/curve-report.js';
import { UsageError, type Work, writeAnswer } from '../session.js';
import { longWork } from '../long-work.js';
import { readRunnable } from '../input/scenario-file.js';

export const curveCommand: Work<'curve'> = async (files, options, session) => {
  const { lose = '', cluster = [] } = options;
  if (cluster.length > 1) throw new UsageError('--cluster: a curve is about one cluster');
  // A pattern leaves the clusters that it matches.
  const [name] = cluster.filter((one) => !one.includes('*'));
  const asked = { ...options, purpose: 'predict', makesUpHosts: false } as const;
  const { scenario, printProblems } = await readRunnable(files, asked, session);
  try {
    const found = await longWork('predicting', session, (pause) => curve(scenario, lose, { cluster: name, pause }));
    await writeAnswer(found, curveReport, options, session);
    await printProblems();
  } catch (error) {
    if (error instanceof NoPrediction) throw new UsageError(`there is no curve: ${error.message}`);
    throw error;
  }
};
