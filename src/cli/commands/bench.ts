import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FORMAT } from '../../core/document-format.js';
import { fileProblem } from '../../core/problem.js';
import * as hashing from '../../policies/hashing/index.js';
import type { PolicyModule, TablePolicyModule } from '../../policy/foreign/policy-module.js';
import type { BenchDocument } from '../../report/documents.js';
import { percent } from '../../report/format.js';
import { bytes } from '../../report/ring-report.js';
import { type ReportLayout, wrap } from '../../report/layout.js';
import { columnsOf, table } from '../../report/table.js';
import { shapeProblems } from '../../scenario/modules/module-shape.js';
import { measured, type Ring } from '../bench/measured-rings.js';
import { PolicyModules } from '../input/policy-modules.js';
import { longWork } from '../long-work.js';
import { packageRoot } from '../package-root.js';
import { InputError, says, type Work, writeAnswer } from '../session.js';

export const benchCommand: Work<'bench'> = async (options, session) => {
  const { mine = [], hosts, keys } = options;
  const { rings: asked, problems } = await ringsOf(mine, 'mine');
  if (problems.length > 0) throw new InputError(problems);
  const folder = fileURLToPath(new URL('docs/rings/', packageRoot));
  // A package that is not installed beside lbsim is left out.
  const { rings: ofNpm } = await ringsOf([`${folder}hashring.mjs`, `${folder}consistent-hash.mjs`], 'npm');
  const { ring, maglev, rendezvous, ...published } = hashing;
  const rings = [
    ...asked,
    ...[ring, maglev, rendezvous].map((module) => ({ of: 'lbsim', module }) as const),
    ...ofNpm,
    ...Object.values(published).map((module) => ({ of: 'published', module }) as const),
  ];
  const found = await longWork('measuring tables', session, (pause) => measured(rings, hosts, keys, pause));
  await writeAnswer<BenchDocument>({ format: FORMAT, hosts, keys, rings: found }, benchReport, options, session);
};

/** The modules of files, and what is wrong with each that is none. */
async function ringsOf(files: readonly string[], of: Ring['of']) {
  const modules = await PolicyModules.of({ policy: [] });
  const rings: Ring[] = [];
  const problems = [];
  for (const file of files) {
    const unread = await modules.load(file, resolve(file));
    const module = modules.policies[file];
    const [wrong = says('no_table')] = [...unread, ...shapeProblems(module)];
    if (isTable(module)) rings.push({ of, module });
    else problems.push(fileProblem(`--mine ${file}`, 'policy-module', wrong));
  }
  return { rings, problems };
}

const isTable = (module: unknown): module is TablePolicyModule<unknown> =>
  shapeProblems(module).length === 0 && (module as PolicyModule).kind === 'table';

function benchReport({ hosts, keys, rings }: BenchDocument, layout: ReportLayout): string[] {
  const { number, name, text } = columnsOf(rings);
  const columns = [
    name('table', (one) => one.name),
    text('of', ({ of }) => of),
    number('build', ({ build_ms: ms }) => `${ms.toPrecision(3)} ms`),
    number('look-up', ({ look_up_ns: ns }) => `${ns.toFixed(0)} ns`),
    number('memory', (one) => bytes(one.bytes)),
    number('busiest', ({ busiest }) => `${busiest.toFixed(2)} ×`),
    number('moved', ({ moved }) => percent(moved)),
    number('needless', ({ needless }) => percent(needless)),
  ];
  return [...wrap(says('bench', { hosts, keys, each: 1 / hosts }), layout.width), '', ...table(columns, layout, 0)];
}
