import type { Check } from '../check.js';
import type { RecordedBins, RecordedPhase, RecordedSplit, Recording } from './recording.js';

/**
 * A recording is one account of the same requests told several times. Where it contradicts itself, there is nothing to
 * agree with.
 */
export function checkThatItAddsUp(check: Check, recording: Recording): void {
  const { split, workloads, phases, totals, bins, upstreamSide } = recording;
  const compare = (where: string, sum: number, expected: number): void => {
    check.that('adds up', sum === expected, () => `the recording contradicts itself: ${where}: ${sum} of ${expected}`);
  };
  const parts = (where: string, one: RecordedSplit): void => {
    compare(`${where}hosts, no_host and other`, sumOf(one.hosts) + one.noHost + sumOf(one.other), one.n);
    if (one.status !== undefined) compare(`${where}status`, sumOf(one.status), one.n);
    if (one.attempts !== undefined) compare(`${where}attempts`, sumOf(one.attempts), one.n);
  };
  if (split !== undefined) parts('', split);
  for (const [name, workload] of workloads) parts(`${name}: `, workload);
  if (split !== undefined && workloads.size > 0) {
    const sum = [...workloads.values()].reduce((all, { n }) => all + n, 0);
    compare('requests of all workloads', sum, split.n);
  }
  for (const [index, phase] of phases.entries()) parts(`phase ${index}: `, phase);
  if (totals === undefined) return;
  parts('totals: ', totals);
  compare('n and the total', recording.n, totals.n);
  const names = new Map([...totals.hosts, ...totals.other, ['no_host', totals.noHost]]);
  if (bins !== undefined) {
    for (const name of new Set([...names.keys(), ...bins.bins.flatMap((bin) => [...bin.keys()])])) {
      const inBins = bins.bins.reduce((sum, bin) => sum + (bin.get(name) ?? 0), 0);
      compare(`bins of ${name}`, inBins, names.get(name) ?? 0);
    }
  }
  if (bins !== undefined) {
    for (const [index, phase] of phases.entries()) compareWithBins(check, `phase ${index}`, phase, bins);
  }
  for (const [address, { requests }] of upstreamSide) {
    const answered = totals.hosts.get(address) ?? 0;
    check.that('adds up', requests >= answered, () => {
      return `the recording contradicts itself: ${address} answered ${answered} requests and saw ${requests}`;
    });
  }
}

/** A phase has at least what the bins inside it have, and at most what those have that it touches. */
function compareWithBins(check: Check, where: string, phase: RecordedPhase, { binS, bins }: RecordedBins): void {
  const inside = bins.slice(Math.ceil(phase.fromS / binS - ROUNDING), Math.floor(phase.toS / binS + ROUNDING));
  const touched = bins.slice(Math.floor(phase.fromS / binS + ROUNDING), Math.ceil(phase.toS / binS - ROUNDING));
  // A request at such an edge is in the phase, and one bin too early: 5.6 / 0.1 is less than 56.
  const unsure = [phase.fromS, phase.toS].filter((edge) => {
    const bin = edge / binS;
    return Math.abs(bin - Math.round(bin)) < ROUNDING && Math.floor(bin) < Math.round(bin);
  }).length;
  const names = new Set([...phase.hosts.keys(), ...touched.flatMap((bin) => [...bin.keys()])]);
  for (const name of names) {
    const count = name === 'no_host' ? phase.noHost : (phase.hosts.get(name) ?? phase.other.get(name) ?? 0);
    const inBins = (some: typeof bins): number => some.reduce((sum, bin) => sum + (bin.get(name) ?? 0), 0);
    const [least, most] = [inBins(inside), inBins(touched)];
    check.that('adds up', least - unsure <= count && count <= most + unsure, () => {
      return `the recording contradicts itself: ${where}: ${name} ${count} times, in its bins ${least} to ${most} times`;
    });
  }
}

/** Of a bin, for times that decimals cannot hold. */
const ROUNDING = 1e-6;

function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
