import { FORMAT } from '../../core/document-format.js';
import { printable, printableLines } from '../../core/printable.js';
import { type ImportDocument, jsonDocument } from '../../report/documents.js';
import { importScenario } from '../../scenario/import/import.js';
import { unsupportedProblems } from '../../analysis/run/unsupported.js';
import { InputError, UsageError, type Work } from '../session.js';
import { writeOutput } from '../output/output-files.js';
import { readInputs } from '../input/read-file.js';

export const importCommand: Work<'import'> = async (files, options, session) => {
  if (options.force === true && options.output === '-')
    throw new UsageError('--force overwrites a file: name it with --output');
  const inputs = await readInputs(files, session.io);
  const { cluster: clusters, output, api, hosts, statsInterval, uptime, istioVersion, locality, labels } = options;
  const imported = { api, clusters, hosts, statsInterval, uptime, istioVersion, locality, labels };
  const { text: written, xds, scenario, says, problems } = importScenario(inputs, imported);
  const isXds = options.xds === true && xds !== undefined;
  const text = isXds ? jsonDocument(xds) : written;
  // A scenario that cannot run is of no use; which hosts there are may still be said.
  const obstacles = scenario === undefined ? problems : unsupportedProblems(scenario, files[0] ?? '-');
  // Without lines of the files: the line of a mistake may contain a private key.
  if (text === undefined || (obstacles.length > 0 && !isXds))
    throw new InputError(obstacles, undefined, 'Nothing was written.');
  const json = options.json === true;
  const isShown = json && output === '-';
  const rules = { inputs: files, named: [], force: options.force };
  await writeOutput(text, '--output', isShown ? undefined : output, rules, session);
  if (json) {
    const shown = isShown ? { output: null, scenario: text } : { output };
    return session.out.write(jsonDocument({ format: FORMAT, ...shown, says } satisfies ImportDocument));
  }
  for (const sentence of says) await session.err.write(`lbsim: ${printableLines(sentence)}\n`);
  if (output !== '-')
    await session.err.write(`lbsim: ${printable(`wrote ${output}; run it with: lbsim run ${output}`)}\n`);
};
