import type { Fields } from '../fields.js';
import { hasUsers, withHarness } from './harness.js';
import { asList, asNumber, asString, FormatError } from '../fields.js';
import type { RecordedAnswer } from './answers.js';
import { readAnswers } from './answers.js';
import type { Split } from './request-log.js';
import type { Statistics } from './statistics.js';

export type RecordingKind = 'mapping' | 'split' | 'timeline' | 'reject';

/** Key of a request → the host it went to; null: none. */
export type Mapping = readonly (readonly [key: string, host: string | null])[];

export interface RecordedSplit extends Omit<Split, 'attempts' | 'status'> {
  /** Undefined where it was not recorded. */
  readonly attempts: ReadonlyMap<string, number> | undefined;
  /** Requests by the HTTP status of their answer; undefined where it was not recorded. */
  readonly status: ReadonlyMap<string, number> | undefined;
}

export interface RecordedPhase extends RecordedSplit {
  readonly fromS: number;
  readonly toS: number;
  /** Statistics at its end, of those that had changed. */
  readonly stats: Statistics;
}

/** Answers in each part of a recording of `binS` seconds: by host, or by what the proxy answered itself. */
export interface RecordedBins {
  readonly binS: number;
  readonly bins: readonly ReadonlyMap<string, number>[];
}

/** What one host of a recording saw, whichever proxy asked. */
export interface HostSide {
  readonly accepts: number;
  readonly errors: number;
  readonly healthChecks: number;
  readonly requests: number;
}

/** A line of the proxy's own page of its clusters, at the end. */
export interface HostLine {
  readonly address: string;
  readonly hostname: string;
  readonly priority: number;
  readonly locality: unknown;
  readonly weight: number;
  readonly health: unknown;
  readonly rqTotal: number;
  readonly rqError: number;
  readonly rqTimeout: number;
  readonly cxTotal: number;
  readonly cxConnectFail: number;
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
  /** Several users sent at once. */
  readonly isConcurrent: boolean;
  /** By workload; '' is all of them. */
  readonly mappings: ReadonlyMap<string, Mapping>;
  readonly split: RecordedSplit | undefined;
  readonly workloads: ReadonlyMap<string, RecordedSplit>;
  readonly sequenceHosts: readonly string[];
  readonly sequence: readonly number[] | undefined;
  /** By cluster. */
  readonly hostTable: ReadonlyMap<string, readonly HostLine[]>;
  /** What the recorder had sent when it stopped, and how many of these it kept unanswered. */
  readonly heldOpen: { readonly sent: number; readonly held: number } | undefined;
  readonly phases: readonly RecordedPhase[];
  readonly bins: RecordedBins | undefined;
  /** By address. */
  readonly upstreamSide: ReadonlyMap<string, HostSide>;
  /** When the timeline was to act, and when it really did, in seconds. */
  readonly appliedAt: readonly (readonly [planned: number, real: number])[];
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
  file.ignore('area', 'note');
  const kind = readKind(file.string('kind'));
  const observed = file.object('observed');
  observed.ignore('proxy_version', 'message');
  const totals = observed.optionalObject('totals');
  const rows = observed.optionalList('requests');
  const n = file.unknown('n') === null ? (totals?.number('requests') ?? 0) : file.number('n');
  const expected = file.optionalObject('expected');
  const accepted = expected?.optionalBoolean('accepted') ?? observed.optionalBoolean('accepted');
  observed.ignore('accepted');
  const harness = file.unknown('harness');
  const recording: Recording = {
    name: file.string('name'),
    kind,
    scenario: withHarness(file.unknown('scenario'), harness, kind),
    n: observed.optionalNumber('n') ?? n,
    isConcurrent: hasUsers(harness, kind),
    mappings: readMappings(observed),
    split: observed.has('hosts') ? readSplit(observed, observed.optionalNumber('n') ?? n) : undefined,
    workloads: readWorkloads(observed.optionalObject('workloads')),
    sequenceHosts: observed.optionalStrings('sequence_hosts') ?? [],
    sequence: observed.optionalNumbers('sequence'),
    hostTable: readHostTable(observed.optionalObject('host_table')),
    heldOpen: readHeldOpen(observed.optionalObject('held_open')),
    phases: observed.optionalObjects('phases').map(readPhase),
    bins: readBins(observed),
    upstreamSide: readUpstreamSide(observed.optionalObject('upstream_side')),
    appliedAt: (observed.optionalList('applied_at') ?? []).map(readApplied),
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
      const split = readSplit(one, one.number('n'));
      one.end();
      return [workload, split];
    }),
  );
}

function readPhase(phase: Fields): RecordedPhase {
  const read = {
    ...readSplit(phase, phase.number('requests')),
    fromS: phase.number('from_s'),
    toS: phase.number('to_s'),
    stats: phase.optionalCounts('stats') ?? new Map<string, number>(),
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
    status: fields.optionalCounts('status'),
  };
}

function readBins(observed: Fields): RecordedBins | undefined {
  const bins = observed.optionalObjects('bins');
  const binS = observed.optionalNumber('bin_s');
  if (binS === undefined) return undefined;
  return { binS, bins: bins.map((bin) => new Map(bin.keys.map((name) => [name, bin.number(name)]))) };
}

function readHeldOpen(fields: Fields | undefined): Recording['heldOpen'] {
  const held = fields && { sent: fields.number('sent'), held: fields.number('held') };
  fields?.end();
  return held;
}

function readApplied(pair: unknown, index: number): readonly [number, number] {
  const path = `observed.applied_at[${index}]`;
  const [planned, real] = asList(pair, path);
  return [asNumber(planned, path), asNumber(real, path)];
}

function readUpstreamSide(fields: Fields | undefined): ReadonlyMap<string, HostSide> {
  return new Map(
    fields?.keys.map((address) => {
      const side = fields.object(address);
      const read = {
        accepts: side.number('accepts'),
        errors: side.number('errors'),
        healthChecks: side.number('health_checks'),
        requests: side.number('requests'),
      };
      side.end();
      return [address, read];
    }),
  );
}

function readHostTable(fields: Fields | undefined): ReadonlyMap<string, readonly HostLine[]> {
  return new Map(fields?.keys.map((cluster) => [cluster, fields.objects(cluster).map(readHostLine)]));
}

function readHostLine(line: Fields): HostLine {
  const read = {
    address: line.string('address'),
    hostname: line.string('hostname'),
    priority: line.number('priority'),
    locality: line.unknown('locality'),
    weight: line.number('weight'),
    health: line.unknown('health'),
    rqTotal: line.number('rq_total'),
    rqError: line.number('rq_error'),
    rqTimeout: line.number('rq_timeout'),
    cxTotal: line.number('cx_total'),
    cxConnectFail: line.number('cx_connect_fail'),
  };
  line.end();
  return read;
}
