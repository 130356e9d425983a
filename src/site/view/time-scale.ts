import { useEffect, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import { app, clock, durationOf } from '../app-state.js';

/** Charts over time are stacked: their left and right margins are equal, in pixels. */
export const LEFT = 76;
export const RIGHT = 14;

/** Width of an element as it is now, in pixels; 0 before it is known. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

/** The part of the run that is drawn, in seconds. */
export function shownSpan(): readonly [number, number] {
  const { zoom, run } = app.now;
  return zoom ?? [0, run === undefined ? 1 : durationOf(app.now)];
}

/** Moves a line to the time shown, outside of the component tree, since it moves with every frame. */
export function useCursor(line: RefObject<HTMLElement | null>, width: number): void {
  useEffect(() => {
    const show = (): void => {
      const { current } = line;
      if (current === null) return;
      const [from, to] = shownSpan();
      const part = to > from ? (clock.now.t - from) / (to - from) : 0;
      current.style.transform = `translateX(${LEFT + part * Math.max(0, width - LEFT - RIGHT)}px)`;
      current.style.visibility = part < 0 || part > 1 ? 'hidden' : 'visible';
    };
    show();
    const leave = [clock.subscribe(show), app.subscribe(show)];
    return () => leave.forEach((one) => one());
  }, [line, width]);
}
