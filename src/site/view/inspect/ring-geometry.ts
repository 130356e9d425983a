import { firstNotBelow } from '../../../core/values.js';
import type { InspectedTable } from '../../../index.js';

/** The circle is drawn in so many steps: thinner arcs would not be seen. */
const STEPS = 1440;

/** @returns index into the table's hosts of the owner of a place of the circle, 0–1; −1: the table is empty. */
export function ownerAt({ noun, positions, owners }: InspectedTable, place: number): number {
  const size = positions.length;
  if (size === 0) return -1;
  if (noun === 'table') return owners[Math.min(size - 1, Math.floor(place * size))] ?? -1;
  // Behind the last entry the circle closes.
  return owners[firstNotBelow(positions, place) % size] ?? -1;
}

/** Parts of a circle, 0–1 clockwise from the top, in which each belongs to one host. */
export function arcsOf(table: InspectedTable) {
  const arcs: { host: number; from: number; to: number }[] = [];
  for (let step = 0; step < STEPS; step++) {
    const host = ownerAt(table, (step + 0.5) / STEPS);
    if (host < 0) return [];
    const last = arcs[arcs.length - 1];
    if (last?.host === host) last.to = (step + 1) / STEPS;
    else arcs.push({ host, from: step / STEPS, to: (step + 1) / STEPS });
  }
  return arcs;
}

/** The outline of an arc between two radii, around 0, 0. */
export function arcPath({ from, to }: ReturnType<typeof arcsOf>[number], inner: number, outer: number): string {
  // A whole circle would begin where it ends.
  const end = Math.min(to, from + 0.9999);
  const large = end - from > 0.5 ? 1 : 0;
  const [a, b] = [pointAt(from, outer), pointAt(end, outer)];
  const [c, d] = [pointAt(end, inner), pointAt(from, inner)];
  return `M${a}A${outer} ${outer} 0 ${large} 1 ${b}L${c}A${inner} ${inner} 0 ${large} 0 ${d}Z`;
}

/** As path data. */
export function pointAt(place: number, radius: number): string {
  const angle = (place - 0.25) * 2 * Math.PI;
  return `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
}
