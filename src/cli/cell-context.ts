import { readFileSync } from 'node:fs';
import type { Micros } from '../core/units.js';
import { withoutSecrets } from '../scenario/secrets.js';
import { type CellContext, sha256 } from './cell.js';
import type { PolicyOptions } from './policy-modules.js';
import type { Runnable } from './scenario-file.js';
import { packageVersion } from './version.js';

/** What the cells of an experiment have in common. */
export function cellContext(
  { source, code }: Pick<Runnable, 'source' | 'code'>,
  { policy, allowCode }: PolicyOptions,
  { everyUs, keep }: { readonly everyUs?: Micros | undefined; readonly keep?: readonly string[] },
): CellContext {
  return {
    version: packageVersion(),
    source: { ...source, inputs: withoutSecrets(source.inputs, source.options.api) },
    policy: { ...(policy !== undefined && { policy }), ...(allowCode === true && { allowCode }) },
    code: code.map(({ file }) => sha256(readFileSync(file))),
    ...(everyUs !== undefined && { everyUs }),
    ...(keep !== undefined && { keep }),
  };
}
