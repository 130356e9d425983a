import { fileProblem } from '../../core/problem.js';
import { existsSync } from 'node:fs';
import { FORMAT } from '../../core/document-format.js';
import { printable } from '../../core/printable.js';
import { isTablePolicy } from '../../policy/registry.js';
import { type Documents, type RingHead, jsonDocument } from '../../report/documents.js';
import { inputLines, wrap } from '../../report/layout.js';
import { adviceReport, type AdvisedTable, againstReport, evenness, ringReport } from '../../report/ring-report.js';
import type { Scenario } from '../../scenario/model.js';
import { inputOf } from '../../scenario/origin.js';
import { inspectRing, type RingInspector } from '../../words/library.js';
import { InputError, layoutFor, type Session, UsageError, type Work } from '../session.js';
import { longWork } from '../long-work.js';
import { readInput } from '../input/read-file.js';
import { readRunnable, readScenario } from '../input/scenario-file.js';
import { lbPolicyOf } from '../../config/policy/of-cluster.js';
import type { MovedKeysResult } from '../../analysis/key-map.js';
import { compareKeys } from '../../analysis/compare/moved-keys.js';
import { NO_PAUSE } from '../../analysis/pause.js';
import type { RingOptions } from '../program/generated/commands.js';

const AT_START = [{ fromUs: 0, toUs: 1, began: [] }];

/** The part of all keys that moves between the tables of a cluster in two scenarios, at time 0. */
async function movedBetween(before: Scenario, after: Scenario, cluster: string): Promise<MovedKeysResult | undefined> {
  const keys = await compareKeys(cluster, [{ scenario: before }, { scenario: after }], AT_START, { pause: NO_PAUSE });
  return keys?.between[0] ?? undefined;
}

/** Tables that are tried for advice: policy, size, and the field that sets it. */
const TRIED = [
  ...[1024, 4096, 16384, 65536, 262144].map((size) => ({
    policy: 'RING_HASH',
    size,
    set: `ring_hash_lb_config={minimum_ring_size: ${size}}`,
  })),
  ...[65537, 655373].map((size) => ({ policy: 'MAGLEV', size, set: `maglev_lb_config={table_size: ${size}}` })),
] as const;

const USUAL_TARGET_PERCENT = 5;

export const ringCommand: Work<'ring'> = async (names, options, session) => {
  const { files, cluster } = filesAndCluster(names, options);
  const [file = '-'] = files;
  if (file === '-' && options.keys === '-')
    throw new UsageError('the scenario and the keys cannot both come from standard input');
  const { scenario, printProblems } = await readRunnable(files, { ...options, purpose: 'tables' }, session);
  const keys = options.where ?? (options.keys === undefined ? undefined : await readKeys(options.keys, session));
  const inspector = await inspectRing(scenario, cluster);
  if ('problem' in inspector) throw new InputError([fileProblem(file, 'no-table', `${inspector.problem}.`)]);
  if (options.against !== undefined) {
    await against(inspector, scenario, options.against, options, session);
    return printProblems();
  }
  const head = await begin(options, session, scenario);
  const { advise: percent, dump } = options;
  if (percent !== undefined) await advise({ files, head, here: inspector, scenario }, options, session);
  else if (dump === true && inspector.view().tables.every(({ entries }) => entries === 0))
    throw new UsageError('--dump: the table lists no entries; --keys FILE tells the host of each key');
  else if (dump === true) await session.out.writeAll(dumpLines(inspector));
  else if (keys !== undefined) {
    const owners = keys.map((key) => ({ key, address: inspector.ownerOf(key) ?? null }));
    await write({ ...head, ...inspector.view(), keys: owners }, () => owners.map(ownerLine), options, session);
  } else {
    const view = inspector.view();
    // Other clusters with tables are easily overlooked.
    const others = scenario.clusters.filter((one) => one.name !== view.cluster && isTablePolicy(lbPolicyOf(one)));
    const names = others.map(({ name }) => printable(name)).join(', ');
    const layout = layoutFor(options, session);
    const told = wrap(`Tables too: ${names}. Name one to see it.`, layout.width);
    const more = cluster !== undefined || names === '' ? [] : [`\n${told.join('\n')}\n`];
    await write({ ...head, ...view }, () => [ringReport(view, layout), ...more], options, session);
  }
  await printProblems();
};

const write = (document: Documents['ring'], lines: () => Iterable<string>, { json }: RingOptions, { out }: Session) =>
  json === true ? out.write(jsonDocument(document)) : out.writeAll(lines());

/** What every answer begins with. Lines that another program reads have it beside them, on standard error. */
async function begin(options: RingOptions, session: Session, ...scenarios: readonly Scenario[]): Promise<RingHead> {
  const head: RingHead = { format: FORMAT, ...inputOf(...scenarios) };
  if (options.json === true) return head;
  const { dump, keys, where } = options;
  const isRead = [dump, keys, where].some((asked) => asked !== undefined);
  const lines = [...inputLines(head.input, layoutFor(options, session).width), ''];
  await (isRead ? session.err : session.out).write(lines.join('\n'));
  return head;
}

/** `--against FILE`: the part of all keys that moves; with `--where`, the host of a key in both. */
async function against(here: RingInspector, scenario: Scenario, other: string, options: RingOptions, session: Session) {
  const { cluster } = here.view();
  const read = await readRunnable([other], { ...options, purpose: 'tables' }, session);
  const there = await inspectRing(read.scenario, cluster);
  if ('problem' in there) throw new InputError([fileProblem(other, 'no-table', `${there.problem}.`)]);
  const head = await begin(options, session, scenario, read.scenario);
  const { where } = options;
  if (where !== undefined) {
    const owners = where.map((key) => ({ key, address: here.ownerOf(key) ?? null, there: there.ownerOf(key) ?? null }));
    return write({ ...head, cluster, keys: owners }, () => owners.map(ownerLine), options, session);
  }
  const moved = await movedBetween(scenario, read.scenario, cluster);
  if (moved === undefined)
    throw new UsageError(`--against: tables of subsets are not compared, as ${cluster} has them`);
  const report = (): string[] => [againstReport(cluster, other, moved, layoutFor(options, session))];
  return write({ ...head, cluster, against: other, ...moved }, report, options, session);
}

type Asked = Readonly<{ files: readonly string[]; head: RingHead; here: RingInspector; scenario: Scenario }>;

async function advise({ files, head, here, scenario }: Asked, options: RingOptions, session: Session): Promise<void> {
  if (files.includes('-'))
    throw new UsageError('--advise reads the file once for each table: standard input is read once');
  const { cluster } = here.view();
  const targetPercent = options.advise === true || options.advise === undefined ? USUAL_TARGET_PERCENT : options.advise;
  const at = `clusters[${JSON.stringify(cluster)}]`;
  const found = await longWork('building tables', session, async (pause) => {
    const tables: AdvisedTable[] = [];
    for (const [index, { policy, size, set }] of TRIED.entries()) {
      await pause(index / TRIED.length);
      const sets = [...(options.set ?? []), `${at}.lb_policy=${policy}`, `${at}.${set}`];
      const asked = { ...options, set: sets, purpose: 'tables' } as const;
      const { scenario: changed, problems, sources } = await readScenario(files, asked, session);
      if (changed === undefined) throw new InputError(problems, sources);
      const other = await inspectRing(changed, cluster);
      const [first] = 'problem' in other ? [] : other.view().tables;
      const even = first === undefined ? undefined : evenness(first);
      const comparing = { pause: NO_PAUSE, singleHostFailures: true };
      const keys = await compareKeys(cluster, [{ scenario: changed }], AT_START, comparing);
      const losses = keys?.single_host_failures?.[0] ?? undefined;
      const moved = await movedBetween(scenario, changed, cluster);
      if ('problem' in other || first === undefined || even === undefined || losses === undefined) continue;
      const { peak } = even;
      const { moved: ifLost, orphaned } = losses;
      const fromNow = moved?.moved ?? 0;
      tables.push({ policy, size, peak, bytes: other.tableBytes, moved: ifLost, orphaned, from_now: fromNow });
    }
    return tables;
  });
  const target = targetPercent / 100;
  const report = (): string[] => [adviceReport(cluster, found, target, layoutFor(options, session))];
  await write({ ...head, cluster, target, tables: found }, report, options, session);
}

/** The name of a cluster may follow the files: it is no file's name. */
function filesAndCluster(names: readonly string[], { cluster: named = [] }: RingOptions) {
  if (named.length > 1) throw new UsageError('--cluster: the tables of one cluster are shown');
  const last = names[names.length - 1] ?? '';
  const isCluster = names.length > 1 && last !== '-' && !existsSync(last);
  if (isCluster && named.length > 0) throw new UsageError(`${last} and --cluster both name a cluster: choose one`);
  return { files: isCluster ? names.slice(0, -1) : names, cluster: isCluster ? last : named[0] };
}

/** One key per line; a final line feed ends the last one. */
async function readKeys(file: string, session: Session): Promise<string[]> {
  const lines = (await readInput(file, session.io)).split(/\r?\n/);
  if (lines[lines.length - 1] === '') lines.pop();
  return lines;
}

const ownerLine = ({ key, ...addresses }: Readonly<{ key: string; [side: string]: string | null }>): string =>
  `${[printable(key), ...Object.values(addresses).map((address) => address ?? '-')].join('\t')}\n`;

function* dumpLines(inspector: RingInspector): Iterable<string> {
  for (const { position, address } of inspector.entries()) yield `${position}\t${address}\n`;
}
