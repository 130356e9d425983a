import type { Micros } from '../../core/units.js';
import type { Host } from '../../host/host.js';
import type { AnswerListener } from '../../policy/answers.js';
import { EventKind } from '../event-kind.js';
import type { Server } from './server.js';
import type { Timers } from '../timers.js';

/**
 * Asks a host how busy it is. The question and the answer take half a round trip each, and no room in its queue; who is down
 * does not answer.
 */
export function sendProbe(timers: Timers, nowUs: Micros, server: Server, host: Host, listener: AnswerListener): void {
  const wireUs = server.drawProbeWireUs();
  const reachedUs = nowUs + Math.floor(wireUs / 2);
  const isDown = (): boolean => server.behavior.down !== 'none';
  timers.at(
    reachedUs,
    () => {
      if (isDown()) return;
      const answer = server.answerProbe();
      if (reachedUs === nowUs + wireUs) listener.probed?.(host, answer);
      else timers.at(nowUs + wireUs, () => listener.probed?.(host, answer), EventKind.probe);
    },
    EventKind.probe,
  );
}
