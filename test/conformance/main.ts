import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { mutate, tableOf } from './mutations.js';
import type { ReportedCase } from './runner.js';
import { runConformance, summary } from './runner.js';
import { randomCase } from './today/draw.js';
import { isHttpKind, randomHttpCase } from './today/draw-http.js';
import { record } from './today/record.js';
import type { TodayCase } from './today/case.js';
import { runTodayFile } from './today/today.js';

interface Options {
  readonly json?: true;
  readonly only?: string;
}

interface AlterationOptions {
  readonly every: string;
  readonly kinds?: string;
  readonly simulatedOnly?: boolean;
}

const command = new Command('conformance')
  .description('Replay recorded behaviour of the real proxy and compare. Exit code 0 only if nothing failed.')
  .argument('<path>', 'directory or file; every *.json below it is replayed')
  .option('--json', 'print one JSON document instead of text')
  .option('--only <area>', 'replay only files of this area, as "ring"')
  .action(async (path: string, options: Options) => {
    const json = options.json === true;
    const report = await runConformance(path, {
      only: options.only,
      onCase: (one) => {
        if (!json && one.result !== 'passed') console.log(line(one));
      },
    });
    console.log(json ? JSON.stringify(report, null, 1) : summary(report));
    process.exitCode = report.failed > 0 ? 1 : 0;
  });

command
  .command('alterations')
  .description('Make each recorded expectation wrong in turn, and count for which ones a replay still passes.')
  .argument('<path>', 'directory or file')
  .option('--every <n>', 'try only every nth alteration of a file', '1')
  .option('--kinds <pattern>', 'try only kinds of this regular expression, as "hosts"')
  .option('--simulated-only', 'do not notice that a recording contradicts itself')
  .action(async (path: string, { every, kinds, simulatedOnly = false }: AlterationOptions) => {
    const only = kinds === undefined ? undefined : new RegExp(kinds);
    for (const one of tableOf(await mutate(path, { every: Number(every), only, simulatedOnly }), path))
      console.log(one);
  });

interface RandomOptions {
  readonly runs: string;
  readonly seed: string;
  readonly record?: string;
  readonly kind: string;
}

command
  .command('random')
  .description('Have a real proxy ($ENVOY) go through random cases, and replay what it did.')
  .option('--kind <kind>', 'connections, route, time or workers: what they are about', 'connections')
  .option('--runs <n>', 'how many', '100')
  .option('--seed <n>', 'number of the first case', '1')
  .option('--record <dir>', 'write each case that is not replayed as it was')
  .action(async ({ runs, seed, record: folder, kind }: RandomOptions) => {
    let failed = 0;
    let late = 0;
    let requests = 0;
    for (let number = Number(seed); number < Number(seed) + Number(runs); number++) {
      const drawn = (): ReturnType<typeof randomCase> =>
        isHttpKind(kind) ? randomHttpCase(kind, number, Math.floor(Date.now() / 1000)) : randomCase(number);
      const { one, ip, port } = drawn();
      requests += (one.requests ?? one.actions ?? []).length;
      const differing: { readonly recorded: TodayCase; readonly problems: readonly string[] }[] = [];
      let isEqual = false;
      for (let again = 0; again < MOST_TRIES && differing.length < TRIES && !isEqual; again++) {
        const recorded = await record(drawn().one, { ip, port });
        const problems = await problemsOf(recorded);
        isEqual = problems.length === 0;
        if (!isEqual && (recorded.late_ms ?? 0) < LATE_MS) differing.push({ recorded, problems });
      }
      const [first] = differing;
      if (!isEqual && first === undefined) late++;
      else if (!isEqual) failed++;
      if (first === undefined) continue;
      console.log(`${isEqual ? 'differed' : 'failed'}  ${one.name}: ${first.problems.join('; ')}`);
      if (folder !== undefined)
        await writeFile(join(folder, `${one.name}.json`), JSON.stringify(first.recorded, undefined, 1));
    }
    console.log(
      `${Number(runs) - failed - late} replayed as they were, ${failed} not, ${late} always late; ${requests} requests`,
    );
    process.exitCode = failed > 0 ? 1 : 0;
  });

/** Nothing comes thrice by chance. */
const TRIES = 3;
const MOST_TRIES = 10;
/** A recorder that is later than this may have seen anything. */
const LATE_MS = 8;

const problemsOf = async (recorded: TodayCase): Promise<readonly string[]> =>
  (await runTodayFile(recorded)).flatMap(({ problem }) => problem ?? []);

function line(one: ReportedCase): string {
  const name = [one.file, one.name, one.version].filter((part) => part !== '').join(' · ');
  return `${one.result.padEnd(7)} ${name}: ${one.problem ?? ''}`;
}

try {
  await command.parseAsync();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
