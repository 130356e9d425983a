import { judgeExpectations } from '../../predict/judge-expectations.js';
import { predict } from '../../predict/predict.js';
import { judgedInWords, predictionInWords } from '../../words/results.js';
import { linesOfText, textOf } from '../../report/layout.js';
import { predictionJson } from '../../report/prediction-json.js';
import { predictionReport } from '../../report/prediction-report.js';
import { ExitCode, layoutFor, type Work } from '../session.js';
import { readRunnable } from '../input/scenario-file.js';
import { pageOf } from '../output/page-output.js';

/** `lbsim predict FILE…` What a run refuses is refused here, too: phases without a formula have no prediction, with a reason. */
export const predictCommand: Work<'predict'> = async (files, options, session) => {
  if (options.link !== undefined) return (await import('../output/page-files.js')).printLink(files, options, session);
  const asked = { ...options, purpose: 'predict' } as const;
  const runnable = await readRunnable(files, asked, session, 'Nothing was predicted.');
  const { scenario, sources, named } = runnable;
  const page = await pageOf(options, { inputs: files, named, carried: [{ sources, options }] }, session);
  const prediction = predictionInWords(await predict(scenario));
  const judged = judgedInWords(judgeExpectations(scenario, prediction));
  if (options.json === true) await session.out.writeAll(predictionJson(prediction, judged));
  else if (page?.isAnswer !== true)
    await session.out.writeAll(linesOfText(predictionReport(prediction, layoutFor(options, session), judged)));
  await page?.write((layout, shared, { reportOfPrediction }) =>
    reportOfPrediction(prediction, scenario, textOf(predictionReport(prediction, layout, judged)), shared),
  );
  await runnable.printProblems();
  return judged.some(({ passed }) => passed === false) ? ExitCode.failed : ExitCode.ok;
};
