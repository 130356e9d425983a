import { printable } from '../../core/printable.js';
import { isTablePolicy } from '../../policy/registry.js';
import { jsonDocument } from '../../report/json.js';
import { ringReport } from '../../report/ring-report.js';
import type { Scenario } from '../../scenario/model.js';
import type { RingInspector } from '../../simulation/ring-view.js';
import { inspectRing } from '../../simulation/ring-view.js';
import { fileProblem, InputError, UsageError } from '../errors.js';
import { ExitCode } from '../exit-code.js';
import { readInput } from '../read-input.js';
import type { LayoutOptions } from '../report-options.js';
import { layoutFor } from '../report-options.js';
import type { ScenarioOptions } from '../scenario-file.js';
import { readRunnable } from '../scenario-file.js';
import type { Session } from '../session.js';

export interface RingOptions extends ScenarioOptions, LayoutOptions {
  readonly json?: boolean;
  readonly keys?: string;
  readonly dump?: boolean;
}

/** Written at once: large enough to be fast, small enough not to fill memory with a table of millions. */
const CHUNK_LINES = 4096;

/** `lbsim ring FILE [CLUSTER]` */
export async function ring(
  file: string,
  cluster: string | undefined,
  options: RingOptions,
  session: Session,
): Promise<ExitCode> {
  refuseConflicts(file, options);
  const { scenario, tellProblems } = await readRunnable([file], { ...options, purpose: 'tables' }, session);
  await tellProblems();
  const keys = options.keys === undefined ? undefined : await readKeys(options.keys, session);
  const inspector = await inspectRing(scenario, cluster);
  if ('problem' in inspector) throw new InputError([fileProblem(file, 'no-table', `${inspector.problem}.`)]);
  if (options.dump === true) await writeLines(dumpLines(inspector), session);
  else if (keys !== undefined && options.json === true) {
    const owners = keys.map((key) => ({ key, address: inspector.ownerOf(key) ?? null }));
    await session.out.write(jsonDocument({ ...inspector.view(), keys: owners }));
  } else if (keys !== undefined) await writeLines(keyLines(inspector, keys), session);
  else if (options.json === true) await session.out.write(jsonDocument(inspector.view()));
  else {
    const view = inspector.view();
    const others = cluster === undefined ? othersWithTables(scenario, view.cluster) : '';
    await session.out.write(ringReport(view, layoutFor(options, session)) + others);
  }
  return ExitCode.ok;
}

/** Clusters that were not asked for by name are easily overlooked. */
function othersWithTables(scenario: Scenario, shown: string): string {
  const names = scenario.clusters
    .filter(({ name, lbPolicy }) => name !== shown && isTablePolicy(lbPolicy))
    .map(({ name }) => printable(name));
  return names.length === 0 ? '' : `\nTables too: ${names.join(', ')}. Name one to see it.\n`;
}

function refuseConflicts(file: string, options: RingOptions): void {
  if (options.dump === true && options.keys !== undefined) {
    throw new UsageError('--dump and --keys both want standard output: choose one');
  }
  if (options.dump === true && options.json === true) {
    throw new UsageError('--dump prints lines, not JSON: choose one of --dump and --json');
  }
  if (file === '-' && options.keys === '-') {
    throw new UsageError('the scenario and the keys cannot both come from standard input');
  }
}

/** One key a line; a line feed at the end of the file ends the last one. */
async function readKeys(file: string, session: Session): Promise<string[]> {
  const lines = (await readInput(file, session.io)).split(/\r?\n/);
  if (lines[lines.length - 1] === '') lines.pop();
  return lines;
}

function* keyLines(inspector: RingInspector, keys: readonly string[]): Iterable<string> {
  for (const key of keys) yield `${printable(key)}\t${inspector.ownerOf(key) ?? '-'}\n`;
}

function* dumpLines(inspector: RingInspector): Iterable<string> {
  for (const { position, address } of inspector.entries()) yield `${position}\t${address}\n`;
}

async function writeLines(lines: Iterable<string>, session: Session): Promise<void> {
  let chunk: string[] = [];
  for (const line of lines) {
    chunk.push(line);
    if (chunk.length < CHUNK_LINES) continue;
    await session.out.write(chunk.join(''));
    if (session.out.isUnread) return;
    chunk = [];
  }
  if (chunk.length > 0) await session.out.write(chunk.join(''));
}
