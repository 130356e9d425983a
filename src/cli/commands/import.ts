import { FORMAT } from '../../core/document-format.js';
import { printable, printableLines } from '../../core/printable.js';
import type { ApiVersion } from '../../config/api/api.js';
import type { ImportDocument } from '../../report/documents.js';
import { jsonDocument } from '../../report/json-document.js';
import { importScenario } from '../../scenario/import/import.js';
import { unsupportedProblems } from '../../analysis/run/unsupported.js';
import { InputError, UsageError } from '../errors.js';
import { openOutput } from '../output/output-files.js';
import { readInput } from '../input/read-file.js';
import type { Session } from '../session.js';
import type { LbsimCommand } from '../program/lbsim-command.js';
import { FORCE, gather } from '../program/shared-options.js';

export function addImport(command: LbsimCommand): void {
  command
    .description(
      'Writes a scenario of a configuration in any of the forms that `lbsim run` takes, and of pages of /stats: one, or ' +
        'two with the time between them, in any format; their rates become workloads. What balances nothing is left ' +
        'out, with a comment; keys, certificates, tokens and headers never get into it, nor into a message.',
    )
    .argument('<FILE...>', 'what to import; "-" is standard input')
    .option('-o, --output <OUT>', 'where to; "-" is standard output', '-')
    .option('--json', 'print what became of the files, and a scenario that goes nowhere else, as one JSON document')
    .option(...FORCE)
    .option('--stats-interval <TIME>', 'the time between two pages of /stats, as 60s; the older one is named first')
    .option('--uptime <TIME>', 'the age of the counters of one page of /stats (default: its server.uptime)')
    .option('--cluster <NAME>', 'only this cluster, of many; with * several; repeatable', gather)
    .hostsOption()
    .apiOption()
    .examples(
      'lbsim import config_dump.json clusters.json -o prod.yaml',
      'lbsim import bootstrap.yaml stats-1.json stats-2.json --stats-interval 60s',
      'lbsim import config_dump.json | lbsim run -',
    )
    .does(importCommand);
}

export interface ImportOptions {
  readonly output: string;
  readonly json?: boolean;
  readonly force?: boolean;
  readonly api?: ApiVersion;
  readonly cluster?: readonly string[];
  readonly hosts?: readonly string[];
  readonly statsInterval?: string;
  readonly uptime?: string;
}

/** `lbsim import FILE… [-o OUT]` */
export async function importCommand(files: readonly string[], options: ImportOptions, session: Session): Promise<void> {
  if (options.force === true && options.output === '-') {
    throw new UsageError('--force overwrites a file: name it with --output');
  }
  const inputs: { readonly file: string; readonly text: string }[] = [];
  for (const file of files) inputs.push({ file, text: await readInput(file, session.io) });
  const { api, cluster: clusters, hosts, statsInterval, uptime, output } = options;
  const { text, scenario, says, problems } = importScenario(inputs, { api, clusters, hosts, statsInterval, uptime });
  // A scenario that cannot run is of no use; which hosts there are may still be said.
  const obstacles = scenario === undefined ? problems : unsupportedProblems(scenario, files[0] ?? '-');
  // Without lines of the files: the line of a mistake may contain a private key.
  if (text === undefined || obstacles.length > 0) throw new InputError(obstacles, undefined, 'Nothing was written.');
  const json = options.json === true;
  const isShown = json && output === '-';
  const rules = { inputs: files, named: [], force: options.force };
  const target = await openOutput('--output', isShown ? undefined : output, rules, session);
  await target?.write(text);
  await target?.close();
  if (json) {
    const document: ImportDocument = {
      format: FORMAT,
      output: isShown ? null : output,
      ...(isShown && { scenario: text }),
      says,
    };
    await session.out.write(jsonDocument(document));
    return;
  }
  for (const sentence of says) await session.err.write(`lbsim: ${printableLines(sentence)}\n`);
  if (output !== '-')
    await session.err.write(`lbsim: ${printable(`wrote ${output}; run it with: lbsim run ${output}`)}\n`);
}
