import { useEffect, useState } from 'preact/hooks';
import { app, clock } from '../../app-state.js';
import type { InspectAnswer } from '../../engine/protocol.js';
import type { Session } from '../../session.js';

/** Between two questions while time goes on. */
const LEAST_MS = 200;

/**
 * The state of a cluster at the time shown. It follows the time: one question at a time, and the next as soon as it is
 * answered if the time is another one by then.
 */
export function useInspection(
  session: Session,
  cluster: string | undefined,
  hashKey: string | undefined,
): InspectAnswer {
  const [answer, setAnswer] = useState<InspectAnswer>();
  useEffect(() => {
    if (cluster === undefined) return undefined;
    let over = false;
    let busy = false;
    let asked: unknown[] = [];
    let timer: number | undefined;
    const ask = async (): Promise<void> => {
      timer = undefined;
      // A new run is of a new text.
      const now = [clock.now.t, app.now.run];
      if (over || busy || now.every((value, index) => value === asked[index])) return;
      busy = true;
      asked = now;
      try {
        const found = await session.inspect(cluster, hashKey);
        if (!isOver() && found !== undefined) setAnswer(found);
      } catch (error) {
        if (!isOver()) setAnswer({ problem: error instanceof Error ? error.message : String(error) });
      }
      busy = false;
      later();
    };
    const isOver = (): boolean => over;
    const later = (): void => {
      timer ??= setTimeout(() => void ask(), LEAST_MS);
    };
    void ask();
    const leave = [clock.subscribe(later), app.subscribe(later)];
    return () => {
      over = true;
      clearTimeout(timer);
      for (const one of leave) one();
    };
  }, [session, cluster, hashKey]);
  return answer;
}
