import { demandSubject } from './story.js';
import fc from 'fast-check';
import { demand as demandArguments } from '../core/arguments.js';
import { optionsIn } from '../core/options.js';
import { defined } from '../core/values.js';
import type { BalancerUnderTest } from './balancer-under-test.js';
import { LawOptions } from './generated/law-options.js';
import type { Remarks } from './scenario-file.js';

// What laws are written with.
export * from './arbitraries.js';
export type { BalancerUnderTest } from './balancer-under-test.js';
export * from './chance.js';
export type { LawOptions } from './generated/law-options.js';
export * from './scenario-file.js';
export * from './story.js';

/** A law that every balancer obeys. */
export interface BalancerLaw {
  /** As a sentence about a balancer: "picks hosts that are there". */
  readonly name: string;
  /** @throws {@link LawFalsified} with the smallest counterexample it found. */
  readonly check: (subject: BalancerUnderTest, options?: LawOptions) => void;
}

/** A counterexample, with the file that replays it. */
export class LawFalsified extends Error {
  override readonly name = 'LawFalsified';

  constructor(
    readonly law: string,
    /** The observation that violates the law. */
    readonly reason: string,
    /** A scenario file: `lbsim run` shows what the proxy does with the same hosts and requests. */
    readonly scenario: string,
    /** Repeats the search, see {@link LawOptions}. */
    readonly replay: { readonly seed: number; readonly path: string },
    cause: unknown,
  ) {
    const again = `{seed: ${replay.seed}, path: '${replay.path}'}`;
    super(
      `falsified: a balancer ${law}\n${reason}\nThe same search again: ${again}\n` +
        `Save what follows as falsified.yaml; \`lbsim run falsified.yaml\` shows what the proxy does there, with \`--decisions -\` pick by pick.\n\n${scenario}`,
      { cause },
    );
  }
}

/** The law is broken: what was seen. */
export function fail(reason: string): never {
  throw new Error(reason);
}

export interface Search<Example> {
  readonly law: string;
  readonly examples: fc.Arbitrary<Example>;
  /** Each is tried once, besides. */
  readonly once?: readonly fc.Arbitrary<Example>[];
  /** Throws where the law is broken. */
  readonly test: (example: Example) => void;
  readonly scenario: (example: Example, remarks: Remarks) => string;
  readonly numRuns: number;
  /** Fixed where a bound may be exceeded by chance. */
  readonly seed?: number;
}

interface LawOfSubjects<Example> extends Pick<Search<Example>, 'numRuns' | 'seed'> {
  /** Of several each is searched by itself. */
  readonly examples: (subject: BalancerUnderTest) => fc.Arbitrary<Example> | readonly fc.Arbitrary<Example>[];
  readonly test: (subject: BalancerUnderTest, example: Example) => void;
  readonly scenario: (subject: BalancerUnderTest, example: Example, remarks: Remarks) => string;
  /** Default: to every subject. */
  readonly applies?: ((subject: BalancerUnderTest) => boolean) | undefined;
}

/** A law of this name, which is called with a subject. */
/* @__NO_SIDE_EFFECTS__ */
export function balancerLaw<Example>(
  law: string,
  { examples, test, scenario, applies = () => true, ...defaults }: LawOfSubjects<Example>,
) {
  const check: BalancerLaw['check'] = (subject, options) => {
    demandSubject(`the law "${law}"`, subject);
    if (!applies(subject)) return;
    for (const own of [examples(subject)].flat()) {
      search(options, {
        ...{ law, examples: own, ...defaults },
        test: (example) => test(subject, example),
        scenario: (example, remarks) => scenario(subject, example, remarks),
      });
    }
  };
  return Object.assign(check, { law });
}

/** Looks for a counterexample, and throws the smallest one. */
export function search<Example>(
  options: LawOptions | undefined,
  { once = [], law, examples, test, scenario, ...defaults }: Search<Example>,
): void {
  demandArguments(`the law "${law}"`, ['options', options, optionsIn(LawOptions)]);
  const details = fc.check(fc.property(examples, test), { ...defaults, ...defined({ ...options }) });
  for (const more of details.failed ? [] : once)
    search({ ...options, numRuns: 1 }, { law, examples: more, test, scenario, ...defaults });
  if (!details.failed) return;
  if (details.counterexample === null) throw new Error(`${law}: ${fc.defaultReportMessage(details)}`);
  const [example] = details.counterexample;
  const { errorInstance: cause, seed, counterexamplePath: path } = details;
  const reason = cause instanceof Error ? cause.message : String(cause);
  const header = [`Falsified: a balancer ${law}.`, ...reason.split('\n')];
  throw new LawFalsified(law, reason, scenario(example, { header, description: law }), { seed, path }, cause);
}
