import type { DifferencePicture } from './engine/difference.js';
import type { ClusterPicture, RunPicture } from './engine/draw-picture.js';
import type { CheckPicture } from './engine/engine.js';
import type { ObservedPicture } from './engine/observed-picture.js';
import { type Overrides, type SourceFile, type Subject, textsOf } from './link.js';
import { hostId, isDown } from '../result/phases.js';
import { HEALTH_NAMES, type HostPicture, truthOf } from './engine/picture.js';
import type { Lever } from './engine/levers.js';
import { clusterOf, type Instant, instantAt, stretchAt } from './instant.js';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

export class Store<T extends object> {
  private readonly listeners = new Set<() => void>();

  constructor(private value: T) {}

  get now(): T {
    return this.value;
  }

  set(change: Partial<T>): void {
    this.value = { ...this.value, ...change };
    for (const listener of [...this.listeners]) listener();
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}

/** A part of the store; the component is drawn again only if that part changed. */
export function useStore<T extends object, P>(store: Store<T>, part: (value: T) => P): P {
  const value = part(store.now);
  const latest = useRef({ part, value });
  latest.current = { part, value };
  const [, redraw] = useState({});
  useLayoutEffect(() => {
    const look = (): void => {
      const { part: now, value: drawn } = latest.current;
      if (!Object.is(now(store.now), drawn)) redraw({});
    };
    look();
    return store.subscribe(look);
  }, [store]);
  return value;
}

/** Fields of the page's state, always as many; the component is drawn again only if one of them changed. */
export function useApp<Name extends keyof AppState>(...names: readonly Name[]): Pick<AppState, Name> {
  for (const name of names) useStore(app, (state) => state[name]);
  return app.now;
}

export const useCluster = (run: RunPicture | undefined): ClusterPicture | undefined =>
  clusterOf(run, useApp('cluster').cluster);

export const useRunCluster = (): ClusterPicture | undefined => useCluster(useApp('run').run);

export function useInstant(cluster: ClusterPicture | undefined): Instant | undefined {
  const stretch = useStore(clock, ({ t }) => (cluster === undefined ? '' : stretchAt(cluster, t)));
  return useMemo(() => cluster && instantAt(cluster, clock.now.t), [cluster, stretch]);
}

/** Where the chosen host is in the list of a cluster; −1: it has none that is. Two runs may list hosts in another order. */
export function useChosenHost(cluster: ClusterPicture | undefined): number {
  const chosen = useStore(app, (state) => state.host);
  return cluster?.hosts.findIndex((host) => hostId(host) === chosen) ?? -1;
}

/** @param host undefined: none. */
export function chooseHost(host: HostPicture | undefined): void {
  app.set({ host: host && hostId(host) });
}

/** Lines that levers added to the scenario. */
export interface Change {
  readonly levers: readonly Lever[];
  /** What each of them did, in a few words. */
  readonly says: readonly string[];
  /** The text before any of them. */
  readonly before: string;
  /** From the lever to the exact prediction, in ms; undefined: it is being worked out. */
  readonly tookMs: number | undefined;
}

export interface AppState {
  readonly files: readonly SourceFile[];
  /** Which of them is edited. */
  readonly active: number;
  /** Counts texts set by the page; typed text is in the editor already. */
  readonly revision: number;
  readonly overrides: Overrides;
  readonly check: CheckPicture | undefined;
  /** The last run. It stays on the page until there is a new one. */
  readonly run: RunPicture | undefined;
  /** After a lever, until the run that follows: the exact prediction, drawn in place of the run. */
  readonly ahead: RunPicture | undefined;
  /** A run that stays in sight beside the current one: A, where the current one is B; undefined: one alone is looked at. */
  readonly pinned: { readonly subject: Subject; readonly run: RunPicture } | undefined;
  /** What differs between the two; undefined: it is being worked out. */
  readonly difference: DifferencePicture | undefined;
  /** Texts that tell what hosts were seen to get. */
  readonly seen: readonly SourceFile[];
  /** These beside what is configured; undefined: it is being worked out. */
  readonly observation: ObservedPicture | undefined;
  /** 0–1; undefined: nothing runs, and reading takes no time. */
  readonly progress: number | undefined;
  /** A defect, or why a link or a file cannot be read. */
  readonly message: string;
  readonly cluster: string | undefined;
  /** The chosen host, as {@link hostId} names it. */
  readonly host: string | undefined;
  readonly playing: boolean;
  /** Seconds of virtual time for each second. */
  readonly speed: number;
  /** The change by the last lever; undefined: the text was not changed by levers. */
  readonly change: Change | undefined;
  /** The name of the shipped scenario that is open as it is. */
  readonly example: string | undefined;
  readonly theme: 'light' | 'dark';
  /** The text is in sight. */
  readonly editing: boolean;
  /** Which of the details are. */
  readonly tab: string;
  /** The zoomed part of the run, in seconds. */
  readonly zoom: readonly [number, number] | undefined;
}

/** Which file levers change: modules come after the texts. */
export const placeOfText = ({ files, active }: Pick<AppState, 'files' | 'active'>): number =>
  active < textsOf(files).length ? active : 0;

/** The tab of what differs. */
export const VERSUS = 'A|B';

/** That of what was seen. */
export const SEEN = 'Seen';

/** What another scenario begins with. */
export const FRESH = {
  active: 0,
  ahead: undefined,
  pinned: undefined,
  difference: undefined,
  seen: [],
  observation: undefined,
  message: '',
  cluster: undefined,
  host: undefined,
  playing: false,
  change: undefined,
  zoom: undefined,
  example: undefined,
  editing: true,
} as const satisfies Partial<AppState>;

const NOTHING_READ = { files: [], revision: 0, overrides: {}, check: undefined, run: undefined, progress: undefined };

export const app = new Store<AppState>({ ...FRESH, ...NOTHING_READ, speed: 1, tab: 'Split', theme: 'light' });

/** The virtual time shown. It changes with every frame: a store apart, so that only its readers are drawn again. */
export const clock = new Store<{ readonly t: number }>({ t: 0 });

/** How long the run is; of two the longer one. */
export const durationOf = ({ run, pinned }: Pick<AppState, 'run' | 'pinned'>): number =>
  Math.max(run?.durationS ?? 0, pinned?.run.durationS ?? 0);

/** A slow host takes at least so long, and so many times what it took. */
const SLOW_MS = 100;
const SLOWER = 10;

/** The time shown, to a millisecond, in seconds. */
export const shownS = (): number => Math.round(clock.now.t * 1000) / 1000;

/** A host as drawn at the time shown: in the prediction after a lever, else the run. @param id of {@link hostId}. */
export function drawnHost(id: string | undefined) {
  const { run, ahead, cluster: name, change } = app.now;
  const cluster = clusterOf(ahead ?? run, name);
  const instant = cluster && instantAt(cluster, clock.now.t);
  const place = cluster?.hosts.findIndex((one) => hostId(one) === id) ?? -1;
  const host = cluster?.hosts[place];
  if (cluster === undefined || instant === undefined || host === undefined) return undefined;
  const { address, weight, zone } = host;
  const { phase } = instant;
  const truth = truthOf(phase, place);
  const isSlow = truth === 'slow';
  const slows = (lever: Lever): boolean =>
    lever.kind === 'slow' && 'address' in lever.hosts && lever.hosts.address === address && lever.atS <= shownS();
  const times = clusterOf(run, name)?.course?.intervals.flatMap(({ latency_ms: { p50 } }) => p50 ?? []) ?? [];
  const usualMs = times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
  return {
    ...{ address, zone, cluster, instant, isSlow, weight: phase.weights[place] ?? weight },
    /** Index in the cluster's list. */
    place,
    /** It answers nothing, or is believed to. */
    isOut: isDown(truth) || HEALTH_NAMES[phase.health[place] ?? 0] === 'unhealthy',
    slowedBy: change?.levers.filter(slows) ?? [],
    /** What it takes where a lever makes it slow. */
    slowMs: Number(Math.max(SLOW_MS, SLOWER * usualMs).toPrecision(4)),
  };
}
