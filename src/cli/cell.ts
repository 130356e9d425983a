import { createHash } from 'node:crypto';
import { type Cell, CellMachine, type CellOptions, scenarioOrProblem } from '../analysis/sweep/cell.js';
import type { Scenario } from '../scenario/model.js';
import { InputError } from './session.js';
import { PolicyModules, type PolicyOptions, type SentModule } from './input/policy-modules.js';
import { loadSource, type Runnable, type ScenarioSource } from './input/scenario-file.js';
import { readFileSync } from 'node:fs';
import { setsWithoutSecrets, withoutSecrets } from '../scenario/secrets.js';
import { packageVersion } from './package-root.js';

export function cellContext(
  { source, code }: Pick<Runnable, 'source' | 'code'>,
  { policy, allowCode }: PolicyOptions,
  options: CellOptions,
): CellContext {
  const { inputs, options: given } = source;
  const set = given.set && setsWithoutSecrets(given.set, inputs, given.api);
  return {
    version: packageVersion(),
    source: {
      ...source,
      inputs: withoutSecrets(inputs, given.api),
      options: { ...given, ...(set !== undefined && { set }) },
    },
    policy: { ...(policy !== undefined && { policy }), ...(allowCode === true && { allowCode }) },
    code: code.map(({ file }) => sha256(readFileSync(file))),
    ...options,
  };
}

/** What all cells of an experiment have in common: plain data, which any thread can be given, and without `policy` any machine. */
export interface CellContext extends CellOptions {
  /** Of lbsim: another one may count otherwise. */
  readonly version: string;
  readonly source: ScenarioSource;
  /** Code of the user's, which is loaded from its files. */
  readonly policy: PolicyOptions;
  /** SHA-256 of each of these files. */
  readonly code: readonly string[];
  /** Instead of `policy`, where its files are not: whoever makes the machine has allowed them. */
  readonly modules?: readonly SentModule[];
}

export type SideTask = Readonly<{ side: number; seed: string }>;

/** What a cell depends on besides itself, as 64 hexadecimal digits. */
export const contextId = (context: CellContext): string => sha256(JSON.stringify(context));

/** Two cells with one id have the same result, whoever works them out. @param context of {@link contextId}. */
export const cellId = (context: string, { changes, seed }: Cell): string =>
  sha256(JSON.stringify([context, changes, seed]));

export const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** What works cells out here. */
export function cellMachine(context: CellContext): CellMachine {
  const { source, policy, modules: sent } = context;
  let modules: PolicyModules | undefined;
  const read = async (changes: Cell['changes']): Promise<Scenario | string> => {
    try {
      const known = (modules ??= await (sent === undefined ? PolicyModules.of(policy) : PolicyModules.ofTexts(sent)));
      let loaded = loadSource(source, changes, known.policies);
      if (policy.allowCode === true && loaded.policyModules !== undefined) {
        await known.loadNamed(loaded.policyModules);
        loaded = loadSource(source, changes, known.policies);
      }
      return scenarioOrProblem(loaded);
    } catch (error) {
      if (error instanceof InputError) return error.message;
      throw error;
    }
  };
  return new CellMachine(read, context);
}
