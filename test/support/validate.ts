import { Bootstrap } from '../../src/config/bootstrap.js';
import { Cluster } from '../../src/config/cluster/cluster.js';
import { check, inFileOrder, parseDocument } from '../../src/config/reader.js';
import { detectKind, v1Problem } from '../../src/config/validate.js';
import type { Problem } from '../../src/core/problem.js';

interface ValidateOptions {
  /** Whether a file that the document names exists. Absent: such files are not looked for. */
  readonly fileExists?: (path: string) => boolean;
}

/** All problems and notes of a proxy's own file, without the loader of scenarios; a scenario is a problem. */
export function validateText(text: string, file: string, { fileExists }: ValidateOptions = {}): readonly Problem[] {
  const { document, problems } = parseDocument(text, file);
  if (document === undefined) return problems;
  const v1 = v1Problem(document);
  const kind = detectKind(document);
  if (v1 === undefined && kind === 'scenario') {
    const message = 'neither a cluster (name) nor a bootstrap (static_resources)';
    return [...problems, { severity: 'error', file, path: '', line: 1, column: 1, message, rule: 'kind' }];
  }
  const schema = kind === 'cluster' ? Cluster : Bootstrap;
  const found = v1 === undefined ? check(schema, document, { vocabulary: 'proxy', fileExists }).problems : [v1];
  return inFileOrder([...problems, ...found]);
}
