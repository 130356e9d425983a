import { observationOf } from '../../analysis/observe/observe.js';
import { bounds } from '../../analysis/observe/bounds.js';
import { countsOf, LOG_FIELDS, type LogFields, readSeen } from '../../analysis/observe/seen.js';
import { linesOfText, textOf } from '../../report/layout.js';
import { boundsReport, observeReport, snippetOf } from '../../report/observe-report.js';
import { readInput } from '../input/read-file.js';
import { readRunnable } from '../input/scenario-file.js';
import { longWork } from '../long-work.js';
import { pageOf } from '../output/page-output.js';
import { watchProxy } from '../runs/live-proxy.js';
import { ExitCode, says, UsageError, type Work, writeAnswer } from '../session.js';

/** `lbsim observe CONFIG… OBSERVED…` */
export const observeCommand: Work<'observe'> = async (files, options, session) => {
  const { falseAlarm, fields: named, workers, proxies, live } = options;
  const fields = named === undefined ? undefined : fieldsOf(named);
  const all = await Promise.all(
    files.map(async (file) => ({ file, seen: readSeen(file, await readInput(file, session.io), fields) })),
  );
  const configs = all.flatMap(({ file, seen }) => (seen.length === 0 ? file : []));
  const seen = all.flatMap((one) => one.seen);
  const given = { ...options, purpose: 'predict', makesUpHosts: false } as const;
  const { scenario, named: texts, printProblems } = await readRunnable(configs, given, session);
  if (live !== undefined && seen.length > 0)
    throw new UsageError(`--live asks the proxy: leave ${seen[0]?.file ?? ''} out`);
  if (live === undefined && seen.length === 0) throw new UsageError(says('no_counts'));
  const old = options.earlier === undefined ? undefined : await readRunnable([options.earlier], given, session);
  const asked = { falseAlarm, fields, workers, proxies, earlier: old?.scenario };
  const inputs = [files, options.earlier ?? []].flat();
  const page = await pageOf(options, { inputs, named: texts, carried: [] }, session);
  const found =
    live === undefined
      ? await longWork('comparing', session, (pause) => observationOf(scenario, countsOf(seen), { ...asked, pause }))
      : await watchProxy(scenario, live, options, asked, session);
  if (page?.isAnswer !== true) await writeAnswer(found, observeReport, options, session);
  await page?.write((layout, _, { reportOfObservation }) =>
    reportOfObservation(found, scenario, textOf(observeReport(found, layout))),
  );
  await printProblems();
  return CODES[found.verdict];
};

const CODES = { as_configured: ExitCode.ok, not_as_configured: ExitCode.failed, too_little: ExitCode.input };

/** `host=upstream,cluster=route.cluster` */
function fieldsOf(text: string): LogFields {
  const known = Object.keys(LOG_FIELDS);
  const pairs = text.split(',').map((pair) => /^(\w+)=(\S+)$/.exec(pair.trim()) ?? []);
  if (pairs.some(([, name = '']) => !known.includes(name)))
    throw new UsageError(`--fields ${text}: it is NAME=FIELD, with commas between; names are ${known.join(', ')}`);
  return Object.fromEntries(pairs.map(([, name = '', field = '']) => [name, field]));
}

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
