import { judgeExpectations } from '../../predict/judge-expectations.js';
import { predict } from '../../predict/predict.js';
import { judgedInWords, predictionInWords } from '../../words/results.js';
import { linesOfText, textOf } from '../../report/layout.js';
import { predictionJson } from '../../report/prediction-json.js';
import { predictionReport } from '../../report/prediction-report.js';
import { ExitCode, InputError } from '../errors.js';
import { layoutFor, type Session } from '../session.js';
import { obstaclesOf, printProblems, readScenario } from '../input/scenario-file.js';
import { pageOf } from '../output/page-output.js';
import type { PredictOptions } from '../program/generated/commands.js';

/**
 * `lbsim predict FILE…`
 *
 * What a run refuses is refused here, too: phases without a formula have no prediction, with a reason.
 */
export async function predictCommand(
  files: readonly string[],
  options: PredictOptions,
  session: Session,
): Promise<ExitCode> {
  if (options.link !== undefined) {
    await (await import('../output/page-files.js')).printLink(files, options, session);
    return ExitCode.ok;
  }
  const { scenario, problems, sources, named } = await readScenario(files, { ...options, purpose: 'predict' }, session);
  if (scenario === undefined) throw new InputError(problems, sources, 'Nothing was predicted.');
  const obstacles = obstaclesOf(scenario, files[0] ?? '-');
  if (obstacles.length > 0) throw new InputError([...problems, ...obstacles], sources, 'Nothing was predicted.');
  const page = await pageOf(options, { inputs: files, named, carried: [{ sources, options }] }, session);
  const prediction = predictionInWords(await predict(scenario));
  const judged = judgedInWords(judgeExpectations(scenario, prediction));
  if (options.json === true) await session.out.writeAll(predictionJson(prediction, judged));
  else if (page?.isAnswer !== true)
    await session.out.writeAll(linesOfText(predictionReport(prediction, layoutFor(options, session), judged)));
  await page?.write((layout, shared, { reportOfPrediction }) => {
    const text = textOf(predictionReport(prediction, layout, judged));
    return reportOfPrediction(prediction, scenario, text, shared);
  });
  await printProblems(problems, sources, files, session);
  return judged.some(({ passed }) => passed === false) ? ExitCode.failed : ExitCode.ok;
}
