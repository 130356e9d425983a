import type { Fields } from '../fields.js';
import { asList, asNumber, asString, FormatError } from '../fields.js';
import type { RecordedAnswer } from './answers.js';
import { readAnswers } from './answers.js';
import type { Split } from './request-log.js';
import type { Statistics } from './statistics.js';

export type RecordingKind = 'mapping' | 'split' | 'timeline' | 'reject';

/** Key of a request → the host it went to; null: none. */
export type Mapping = readonly (readonly [key: string, host: string | null])[];

export interface RecordedSplit extends Omit<Split, 'attempts'> {
  /** Undefined where it was not recorded. */
  readonly attempts: ReadonlyMap<string, number> | undefined;
}

export interface RecordedPhase extends RecordedSplit {
  readonly fromS: number;
  readonly toS: number;
}

/** What a case narrows of the comparison. */
export interface Narrowing {
  readonly notCompared: readonly string[];
  readonly comparePhases: readonly number[] | undefined;
  readonly interchangeableHosts: readonly string[];
  readonly loose: ReadonlyMap<string, string>;
  /** 0: none. */
  readonly shareTolerance: number;
}

/** One case of `proxy/`: a scenario, and what a real proxy did with it. */
export interface Recording {
  readonly name: string;
  readonly kind: RecordingKind;
  /** As it stands in the file; the project reads it. */
  readonly scenario: unknown;
  readonly n: number;
  /** By workload; '' is all of them. */
  readonly mappings: ReadonlyMap<string, Mapping>;
  readonly split: RecordedSplit | undefined;
  readonly workloads: ReadonlyMap<string, RecordedSplit>;
  readonly sequenceHosts: readonly string[];
  readonly sequence: readonly number[] | undefined;
  readonly phases: readonly RecordedPhase[];
  /** The whole of a timeline, what lies between its phases included. */
  readonly totals: RecordedSplit | undefined;
  /** What became of explicit requests; undefined where it was not recorded. */
  readonly answers: readonly RecordedAnswer[] | undefined;
  readonly stats: Statistics;
  readonly statsAtStart: Statistics | undefined;
  /** `reject`: whether the proxy, or the document where it rules, accepts the scenario. */
  readonly accepted: boolean | undefined;
  readonly narrowing: Narrowing;
}

/** @throws FormatError for a key that is not compared and not known to be for orientation only. */
export function readRecording(file: Fields): Recording {
  file.ignore('area', 'note', 'harness');
  const kind = readKind(file.string('kind'));
  const observed = file.object('observed');
  observed.ignore('proxy_version', 'bins', 'bin_s', 'upstream_side', 'held_open', 'applied_at', 'status', 'host_table');
  observed.ignore('message');
  const totals = observed.optionalObject('totals');
  totals?.ignore('status');
  const rows = observed.optionalList('requests');
  const n = file.unknown('n') === null ? 0 : file.number('n');
  const expected = file.optionalObject('expected');
  const accepted = expected?.optionalBoolean('accepted') ?? observed.optionalBoolean('accepted');
  observed.ignore('accepted');
  const recording: Recording = {
    name: file.string('name'),
    kind,
    scenario: file.unknown('scenario'),
    n: observed.optionalNumber('n') ?? n,
    mappings: readMappings(observed),
    split: observed.has('hosts') ? readSplit(observed, observed.optionalNumber('n') ?? n) : undefined,
    workloads: readWorkloads(observed.optionalObject('workloads')),
    sequenceHosts: observed.optionalStrings('sequence_hosts') ?? [],
    sequence: observed.optionalNumbers('sequence'),
    phases: observed.optionalObjects('phases').map(readPhase),
    totals: totals === undefined ? undefined : readSplit(totals, totals.number('requests')),
    answers: rows === undefined ? undefined : readAnswers(rows, 'observed.requests'),
    stats: observed.optionalCounts('stats') ?? new Map(),
    statsAtStart: observed.optionalCounts('stats_at_start'),
    accepted,
    narrowing: readNarrowing(file),
  };
  expected?.end();
  totals?.end();
  observed.end();
  file.end();
  if (!saysWhatItsKindMust(recording)) throw new FormatError(`observed: nothing that a ${kind} is judged by`);
  return recording;
}

function saysWhatItsKindMust(recording: Recording): boolean {
  switch (recording.kind) {
    case 'mapping':
      return recording.mappings.size > 0;
    case 'split':
      return recording.split !== undefined;
    case 'timeline':
      return recording.phases.length > 0;
    case 'reject':
      return recording.accepted !== undefined;
  }
}

function readKind(kind: string): RecordingKind {
  if (kind === 'mapping' || kind === 'split' || kind === 'timeline' || kind === 'reject') return kind;
  throw new FormatError(`unknown kind ${JSON.stringify(kind)}`);
}

function readNarrowing(file: Fields): Narrowing {
  const loose = file.optionalObject('loose');
  return {
    notCompared: file.optionalStrings('not_compared') ?? [],
    comparePhases: file.optionalNumbers('compare_phases'),
    interchangeableHosts: file.optionalStrings('interchangeable_hosts') ?? [],
    loose: new Map(loose?.keys.map((pattern) => [pattern, loose.string(pattern)])),
    shareTolerance: percent(file.optionalString('share_tolerance') ?? '0%'),
  };
}

function percent(text: string): number {
  const value = /^(\d+(?:\.\d+)?)%$/.exec(text)?.[1];
  if (value === undefined) throw new FormatError(`${JSON.stringify(text)} is no percentage`);
  return Number(value) / 100;
}

function readMappings(observed: Fields): ReadonlyMap<string, Mapping> {
  const mappings = new Map<string, Mapping>();
  const single = observed.optionalList('mapping');
  if (single !== undefined) mappings.set('', readMapping(single, 'mapping'));
  const several = observed.optionalObject('mappings');
  for (const workload of several?.keys ?? []) {
    mappings.set(workload, readMapping((several as Fields).list(workload), `mappings.${workload}`));
  }
  return mappings;
}

function readMapping(pairs: readonly unknown[], path: string): Mapping {
  return pairs.map((pair, index) => {
    const [key, host] = asList(pair, `${path}[${index}]`);
    return [asString(key, `${path}[${index}]`), host === null ? null : asString(host, `${path}[${index}]`)];
  });
}

function readWorkloads(fields: Fields | undefined): ReadonlyMap<string, RecordedSplit> {
  return new Map(
    fields?.keys.map((workload) => {
      const one = fields.object(workload);
      one.ignore('status');
      const split = readSplit(one, one.number('n'));
      one.end();
      return [workload, split];
    }),
  );
}

function readPhase(phase: Fields): RecordedPhase {
  phase.ignore('status', 'stats');
  const read = {
    ...readSplit(phase, phase.number('requests')),
    fromS: phase.number('from_s'),
    toS: phase.number('to_s'),
  };
  phase.end();
  return read;
}

function readSplit(fields: Fields, n: number): RecordedSplit {
  return {
    n,
    hosts: fields.optionalCounts('hosts') ?? new Map(),
    noHost: asNumber(fields.unknown('no_host') ?? 0, 'no_host'),
    attempts: fields.optionalCounts('attempts'),
    other: fields.optionalCounts('other') ?? new Map(),
  };
}
