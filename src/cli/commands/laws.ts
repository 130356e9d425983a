import { FORMAT } from '../../core/document-format.js';
import { printable } from '../../core/printable.js';
import { catching, only } from '../../core/values.js';
import { jsonDocument, type TriedLaw } from '../../report/documents.js';
import { LawFalsified } from '../../testing/index.js';
import { askedBalancer } from '../laws/asked-balancer.js';
import { PipedCommand } from '../laws/piped-command.js';
import { longWork } from '../long-work.js';
import { ExitCode, UsageError, type Work } from '../session.js';

export const lawsCommand: Work<'laws'> = async ({ command, answerWithin, law = '', runs, seed, json }, session) => {
  const piped = new PipedCommand(command, answerWithin);
  const ask = (question: object): unknown => piped.ask(question);
  try {
    const { name, laws } = askedBalancer(ask);
    const asked = Object.entries(laws).filter(([sentence]) => sentence.includes(law));
    if (asked.length === 0) throw new UsageError(`--law: no law of ${name} has "${law}" in it`);
    const tried: TriedLaw[] = [];
    await longWork('trying laws', session, async (pause) => {
      for (const [sentence, check] of asked) {
        await pause(tried.length / asked.length);
        ask({ do: 'begin' });
        const found = attempt(() => check({ ...(runs && { numRuns: runs }), ...(seed !== undefined && { seed }) }));
        if (piped.failure !== undefined) throw piped.failure;
        tried.push({ law: sentence, holds: found === undefined, ...found });
      }
    });
    const failed = tried.filter(({ holds }) => !holds);
    const lines = tried.map(({ law: sentence, holds, says = '', seed: again = 0, scenario = '' }) =>
      holds
        ? `holds  ${sentence}\n`
        : `FAILS  ${sentence}\n\n${says}\nThe same again: --seed ${again}. As a scenario, for lbsim run:\n\n${scenario}\n`,
    );
    const closing = `${printable(name)}: ${tried.length - failed.length} of ${tried.length} laws hold\n`;
    if (json === true) await session.out.write(jsonDocument({ format: FORMAT, balancer: name, laws: tried }));
    else await session.out.writeAll([...lines, closing]);
    return failed.length > 0 ? ExitCode.failed : ExitCode.ok;
  } finally {
    piped.end();
  }
};

const attempt = (check: () => unknown): Pick<TriedLaw, 'says' | 'seed' | 'scenario'> | undefined =>
  catching(
    () => void check(),
    only(LawFalsified, ({ reason: says, replay: { seed }, scenario }) => ({ says, seed, scenario })),
  );
