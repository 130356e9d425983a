import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** A value with subscribers. */
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
