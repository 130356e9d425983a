import { predict } from '../../predict/predict.js';
import type { Prediction } from '../../predict/prediction.js';
import { predictionReport } from '../../report/prediction-report.js';
import { InputError } from '../errors.js';
import { ExitCode } from '../exit-code.js';
import type { LayoutOptions } from '../report-options.js';
import { layoutFor } from '../report-options.js';
import type { ScenarioOptions } from '../scenario-file.js';
import { readScenario } from '../scenario-file.js';
import type { Session } from '../session.js';

export interface PredictOptions extends ScenarioOptions, LayoutOptions {
  readonly json?: boolean;
}

/**
 * `lbsim predict FILE`
 *
 * Nothing runs, so nothing is refused for being beyond the simulation: a phase that it decides has no prediction, and says
 * why.
 */
export async function predictCommand(file: string, options: PredictOptions, session: Session): Promise<ExitCode> {
  const { scenario, problems, sources } = await readScenario(file, options, session);
  if (scenario === undefined) throw new InputError(problems, sources, 'Nothing was predicted.');
  const audible = problems.filter((problem) => problem.severity !== 'note');
  if (audible.length > 0) await session.warn(audible, '', sources);
  const prediction = await predict(scenario);
  if (options.json === true) for (const piece of jsonPieces(prediction)) await session.out.write(piece);
  else await session.out.write(predictionReport(prediction, layoutFor(options, session)));
  return ExitCode.ok;
}

/**
 * The prediction as one JSON document, a line per phase: a large cluster over many phases is a million rows, which would
 * not fit into one string with indentation.
 */
export function* jsonPieces(prediction: Prediction): Generator<string> {
  const { clusters, proxies, notes, ...head } = prediction;
  yield `${JSON.stringify(head).slice(0, -1)},"clusters":{`;
  yield* clusterPieces(clusters);
  yield '},"proxies":{';
  for (const [index, [name, proxy]] of Object.entries(proxies).entries()) {
    yield `${index === 0 ? '' : ','}\n${JSON.stringify(name)}:{"clusters":{`;
    yield* clusterPieces(proxy.clusters);
    yield '}}';
  }
  yield `},"notes":${JSON.stringify(notes)}}\n`;
}

function* clusterPieces(clusters: Prediction['clusters']): Generator<string> {
  for (const [index, [name, { phases, ...whole }]] of Object.entries(clusters).entries()) {
    yield `${index === 0 ? '' : ','}\n${JSON.stringify(name)}:${JSON.stringify(whole).slice(0, -1)},"phases":[`;
    for (const [at, phase] of phases.entries()) yield `${at === 0 ? '' : ','}\n${JSON.stringify(phase)}`;
    yield ']}';
  }
}
