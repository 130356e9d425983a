import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import type { Alteration } from './alterations.js';
import { alterations } from './alterations.js';
import { kinds } from './kinds.js';
import type { CaseOutcome } from './outcome.js';
import { ProxyCase } from './proxy/proxy.js';
import { caseFiles } from './runner.js';

/** How many expectations of one kind were made wrong, and how many of these nobody noticed. */
export interface Tally {
  altered: number;
  readonly unseen: string[];
}

export interface MutationOptions {
  /** Only every so manyth alteration of a file is tried. */
  readonly every?: number;
  /** Only kinds of this pattern are tried. */
  readonly only?: RegExp | undefined;
  /** Recordings may contradict themselves: only what is simulated decides. */
  readonly simulatedOnly?: boolean;
}

/**
 * Holds the yardstick itself to account: makes each expectation below `path` wrong in turn, and counts by kind for which
 * of them every case of the file still passes.
 */
export async function mutate(path: string, options: MutationOptions = {}): Promise<ReadonlyMap<string, Tally>> {
  const tallies = new Map<string, Tally>();
  const { every = 1, only, simulatedOnly = false } = options;
  for (const { file, name } of await caseFiles(path)) {
    const content: unknown = JSON.parse(await readFile(file, 'utf8'));
    let index = 0;
    for (const { part, run, at } of partsOf(content, !simulatedOnly)) {
      for (const alteration of alterations(part)) {
        if (only?.test(alteration.kind) === false || index++ % every !== 0) continue;
        const tally = tallies.get(alteration.kind) ?? { altered: 0, unseen: [] };
        tallies.set(alteration.kind, tally);
        tally.altered++;
        if (!(await isSeen(alteration, run))) tally.unseen.push(`${name} ${at}${alteration.path}`);
      }
    }
  }
  return new Map([...tallies].sort(([a], [b]) => (a < b ? -1 : 1)));
}

type Run = (content: unknown) => Promise<readonly CaseOutcome[]>;

interface Part {
  readonly part: unknown;
  readonly run: Run;
  /** Where in the file. */
  readonly at: string;
}

/** A file of many vectors is many files of one, so that an alteration replays no more than it has to. */
function* partsOf(content: unknown, addsUp: boolean): Generator<Part> {
  const fields = content as Readonly<Record<string, unknown>>;
  const replay = kinds.get(String(fields['kind']));
  if (replay === undefined) return;
  const run: Run = async (part) => replay(part);
  for (const list of ['vectors', 'cases']) {
    const entries = fields[list];
    if (!Array.isArray(entries)) continue;
    for (const [index, entry] of entries.entries()) {
      yield { part: { ...fields, [list]: [entry as unknown] }, run, at: `(${index}) ` };
    }
    return;
  }
  const proxyCase = new ProxyCase(addsUp);
  yield { part: content, run: async (part) => [await proxyCase.run(part)], at: '' };
}

async function isSeen(alteration: Alteration, run: Run): Promise<boolean> {
  try {
    return (await run(alteration.content)).some(({ result }) => result === 'failed');
  } catch {
    // It cannot even be read.
    return true;
  }
}

/** A line for each kind, and one for all. */
export function tableOf(tallies: ReadonlyMap<string, Tally>, base: string): readonly string[] {
  const lines = [...tallies].map(([kind, { altered, unseen }]) => {
    const examples = unseen.slice(0, 3).map((one) => relative('.', one));
    return `${String(altered).padStart(7)} ${String(unseen.length).padStart(6)}  ${kind}${examples.length > 0 ? `   e.g. ${examples.join(', ')}` : ''}`;
  });
  const sum = (count: (tally: Tally) => number): number =>
    [...tallies.values()].reduce((all, tally) => all + count(tally), 0);
  const total = `${sum(({ altered }) => altered)} altered, ${sum(({ unseen }) => unseen.length)} unseen`;
  return [`altered unseen  kind (${base})`, ...lines, total];
}
