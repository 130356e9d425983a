import {
  Inspector,
  type LoadOptions,
  type LoadResult,
  loadScenario,
  NothingToExplain,
  type Pause,
  UnsupportedError,
} from '../../index.js';
import type { InspectAnswer, Subject } from './protocol.js';

/** Reads what the page has, as the command would read it. */
export function load({ files, overrides }: Subject, wanted: Pick<LoadOptions, 'lint' | 'advice'> = {}): LoadResult {
  return loadScenario(files, { ...overrides, ...wanted, statistics: false, makesUpHosts: true });
}

export interface LookQuestion {
  readonly subject: Subject;
  readonly cluster: string;
  readonly atS: number;
  /** Where does it fall? */
  readonly hashKey: string | undefined;
}

/** Another question has taken the place of this one. */
class Superseded extends Error {}

/**
 * Answers what the state is at a time. One run serves all questions about a text as long as time goes on; one question at a
 * time, and of those that wait only the newest.
 */
export class Looking {
  private text = '';
  private inspector: Inspector | undefined;
  private newest = 0;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly pause: Pause) {}

  look(question: LookQuestion): Promise<InspectAnswer> {
    const number = ++this.newest;
    const answer = this.last.then(() => this.answerTo(question, number));
    this.last = answer.catch(() => undefined);
    return answer;
  }

  private async answerTo({ subject, cluster, atS, hashKey }: LookQuestion, number: number): Promise<InspectAnswer> {
    if (number !== this.newest) return undefined;
    const inspector = this.inspectorOf(subject);
    if (inspector === undefined) return { problem: 'The text has errors: there is nothing to look at yet.' };
    const pause = async (done: number): Promise<void> => {
      await this.pause(done);
      if (number !== this.newest) throw new Superseded();
    };
    try {
      return await inspector.look({ atUs: Math.round(atS * 1e6), cluster, hashKey, pause });
    } catch (error) {
      if (error instanceof Superseded) return undefined;
      if (error instanceof NothingToExplain || error instanceof UnsupportedError) return { problem: error.message };
      throw error;
    }
  }

  private inspectorOf(subject: Subject): Inspector | undefined {
    const text = JSON.stringify(subject);
    if (text === this.text && this.inspector !== undefined) return this.inspector;
    const { scenario } = load(subject);
    this.text = text;
    this.inspector = scenario === undefined ? undefined : new Inspector(scenario);
    return this.inspector;
  }
}
