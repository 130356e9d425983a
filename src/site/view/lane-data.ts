import { entryOf, groupBy } from '../../core/values.js';
import { someOf } from '../../core/words.js';
import type { ClusterPicture, RunPicture } from '../engine/draw-picture.js';
import { HEALTH_NAMES, truthOf } from '../engine/picture.js';
import { MARKS } from './generated/marks.js';
import { count, counted, plainSeconds, visible } from '../number-format.js';
import { hostNames } from '../instant.js';

export interface Stretch {
  readonly fromS: number;
  readonly toS: number;
  /** A word for the state, which styles know. */
  readonly name: string;
  /** Written into the stretch; absent: the name. */
  readonly says?: string;
}

export interface Lane {
  readonly label: string;
  /** Where the label is too long for a picture; absent: it is shortened to its end. */
  readonly short?: string;
  /** How many hosts it stands for. */
  readonly hosts: number;
  readonly stretches: readonly Stretch[];
  /** Of a host: when it is in truth what it is not believed to be, or not alive. */
  readonly truth: readonly Stretch[];
}

/** More hosts than this that fare alike share a lane. */
const ALONE = 12;

/** Priorities that panic at some time, updates that wait, then hosts whose health changes. */
export function lanesOf(cluster: ClusterPicture): readonly Lane[] {
  const { phases, hosts, waits } = cluster;
  const levels = new Set(phases.flatMap(({ priorities }) => priorities.map(({ priority }) => priority)));
  const panics = [...levels].sort().map((priority) => ({
    label: `P${priority} panic`,
    hosts: 0,
    truth: [],
    stretches: stretchesOf(cluster, (place) =>
      phases[place]?.priorities.find((level) => level.priority === priority)?.panic === true ? 'panic' : 'calm',
    ),
  }));
  const merges = waits.map(({ fromS, toS, text }) => ({ fromS, toS, name: 'waits', says: visible(text, 80) }));
  const names = hostNames(cluster);
  const health = hosts.map((_, host) => ({
    label: names[host] ?? '',
    hosts: 1,
    truth: stretchesOf(cluster, (place) => truthOf(phases[place], host)).filter(
      ({ name }) => name !== 'alive' && name !== 'back',
    ),
    stretches: stretchesOf(cluster, (place) => HEALTH_NAMES[phases[place]?.health[host] ?? 0] ?? 'absent'),
  }));
  const unsteady = health.filter(
    ({ stretches, truth }) => truth.length > 0 || stretches.length > 1 || stretches[0]?.name !== 'healthy',
  );
  return [
    ...panics.filter(({ stretches }) => stretches.some(({ name }) => name === 'panic')),
    ...(merges.length > 0 ? [{ label: 'merge wait', hosts: 0, truth: [], stretches: merges }] : []),
    ...(unsteady.length > ALONE ? together(unsteady) : unsteady),
  ];
}

/** Hosts that fare alike in one lane, at the place of the first. */
function together(lanes: readonly Lane[]): readonly Lane[] {
  const alike = groupBy(lanes, ({ stretches, truth }) =>
    [...stretches, ...truth].map(({ fromS, name }) => `${fromS} ${name}`).join(' '),
  );
  return [...alike.values()].flatMap((group) => {
    const [first, ...others] = group;
    if (first === undefined || others.length === 0) return group;
    const label = `${first.label} and ${count(others.length)} more like it`;
    return [{ ...first, label, short: counted(group.length, 'host'), hosts: group.length }];
  });
}

/** Consecutive equal phases are one stretch. */
function stretchesOf({ phases }: ClusterPicture, nameOf: (place: number) => string): readonly Stretch[] {
  const stretches: { fromS: number; toS: number; name: string }[] = [];
  for (const [place, { fromS, toS }] of phases.entries()) {
    const name = nameOf(place);
    const last = stretches[stretches.length - 1];
    if (last?.name === name) last.toS = toS;
    else stretches.push({ fromS, toS, name });
  }
  return stretches;
}

/** More marks than this hide each other. */
const MOST_MARKS = 300;
/** More events of one time are not named. */
const NAMED = 6;

/** Events of the world and of one cluster, each time once. */
export function marksOf({ events }: RunPicture, cluster: string) {
  const { events: shapes } = MARKS;
  const marks = new Map<number, { readonly texts: string[]; rank: number }>();
  for (const { t_s: t, text, kind, cluster: of } of events) {
    if (of !== null && of !== cluster) continue;
    const rank = shapes.findIndex(({ kinds }) => (kinds as readonly string[]).includes(kind));
    const mark = entryOf(marks, t, () => ({ texts: [], rank }));
    mark.texts.push(visible(text));
    mark.rank = Math.min(mark.rank, rank);
  }
  return [...marks].slice(0, MOST_MARKS).map(([t, { texts, rank }]) => ({
    t,
    title: `${plainSeconds(t)}: ${someOf(texts, NAMED)}`,
    shape: shapes[rank] ?? shapes[4],
  }));
}
