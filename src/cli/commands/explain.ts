import { explain, explainRequest, whyNot } from '../../words/library.js';
import { explainReport, explainRequestReport, whyNotReport } from '../../report/explain-report.js';
import { jsonDocument } from '../../report/documents.js';
import type { ReportLayout } from '../../report/layout.js';
import { layoutFor, UsageError, type Work } from '../session.js';
import { longWork } from '../long-work.js';
import { readRunnable } from '../input/scenario-file.js';

export const explainCommand: Work<'explain'> = async (files, options, session) => {
  const { whyNot: host, request, at: atUs, key, hashKey = key, hash, proxy, worker, random, cluster = [] } = options;
  if (cluster.length > 1) throw new UsageError('--cluster: explain is about one request, and that asks one cluster');
  const { metadata: metadataMatch, header: headers } = options;
  const question = { atUs, cluster: cluster[0], hashKey, hash, metadataMatch, headers, proxy, worker, random };
  const { scenario, printProblems } = await readRunnable(files, options, session);
  const answer = <Found>(found: Found, report: (found: Found, layout: ReportLayout) => string): string =>
    options.json === true ? jsonDocument(found) : report(found, layoutFor(options, session));
  const text = await longWork('running until then', session, async (pause) => {
    if (host !== undefined) return answer(await whyNot(scenario, host, pause), whyNotReport);
    if (request !== undefined) return answer(await explainRequest(scenario, request, pause), explainRequestReport);
    return answer(await explain(scenario, { ...question, pause }), explainReport);
  });
  await session.out.write(text);
  await printProblems();
};
