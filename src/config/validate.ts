import type { Problem } from '../core/problem.js';
import { Bootstrap } from './bootstrap.js';
import { Cluster } from './cluster.js';
import { camel, check, inFileOrder, parseDocument } from './reader.js';
import type { SourceDocument } from './reader.js';

/** What a file is: a scenario, or one of the proxy's own. */
export type DocumentKind = 'scenario' | 'bootstrap' | 'cluster';

/** Fields that only a scenario has. */
const SCENARIO_FIELDS = [
  'assignments',
  'behavior',
  'dns',
  'duration',
  'endpoints',
  'expect',
  'proxies',
  'proxy',
  'requests',
  'seed',
  'timeline',
  'workloads',
];

/** `clusters` make a scenario; without them, `static_resources` a bootstrap and `name` a cluster. */
export function detectKind({ root }: SourceDocument): DocumentKind {
  if (root.kind !== 'map') return 'scenario';
  const has = (name: string): boolean => root.entries.some(({ key }) => key === name || key === camel(name));
  if (has('clusters')) return 'scenario';
  if (has('static_resources')) return 'bootstrap';
  return has('name') && !SCENARIO_FIELDS.some(has) ? 'cluster' : 'scenario';
}

export interface ValidateOptions {
  /** Checks a scenario: its vocabulary is not known here. Absent: a scenario is a problem. */
  readonly scenario?: (document: SourceDocument) => readonly Problem[];
  /** Whether a file that the document names exists. Absent: such files are not looked for. */
  readonly fileExists?: ((path: string) => boolean) | undefined;
}

/**
 * Everything that is wrong with a file, or worth knowing, in the order of the file. Never throws on account of the text.
 *
 * @param file what problems call it; `-` is standard input.
 */
export function validateText(text: string, file: string, options: ValidateOptions = {}): readonly Problem[] {
  const { document, problems } = parseDocument(text, file);
  return document === undefined ? problems : inFileOrder([...problems, ...validateDocument(document, options)]);
}

/** As {@link validateText}, of a document that has been read. */
export function validateDocument(document: SourceDocument, options: ValidateOptions = {}): readonly Problem[] {
  const { fileExists } = options;
  switch (detectKind(document)) {
    case 'bootstrap':
      return check(Bootstrap, document, { vocabulary: 'proxy', fileExists }).problems;
    case 'cluster':
      return check(Cluster, document, { vocabulary: 'proxy', fileExists }).problems;
    case 'scenario':
      return options.scenario?.(document) ?? [notAProxyFile(document)];
  }
}

function notAProxyFile({ file }: SourceDocument): Problem {
  const message = 'neither a cluster (name) nor a bootstrap (static_resources)';
  return { severity: 'error', file, path: '', line: 1, column: 1, message, rule: 'kind' };
}
