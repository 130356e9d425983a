import { TOPICS } from './generated/topics.js';

/** The topic and the question of a shipped scenario, from its opening comment. */

export type Example = Readonly<{ name: string; topic: string; question: string }>;

/** @param file base name, as `tiny-ring.yaml`. */
export function describeExample(file: string, text: string): Example {
  return { name: file.replace(/\.yaml$/, ''), topic: topicOf(text), question: questionOf(text) };
}

/** By topic, and within one as they come. */
export function inTopics<T extends Example>(examples: readonly T[]): T[] {
  const topics: readonly string[] = TOPICS;
  const rank = ({ topic }: Example): number => (topics.includes(topic) ? topics.indexOf(topic) : topics.length);
  return [...examples].sort((a, b) => rank(a) - rank(b));
}

/** The first paragraph of the comment a scenario opens with; a line for editors may stand before it. */
export function questionOf(text: string): string {
  const lines = text.split('\n').filter((line) => !line.startsWith('# yaml-language-server:'));
  const end = lines.findIndex((line) => !/^# *\S/.test(line));
  return lines
    .slice(0, end < 0 ? lines.length : end)
    .map((line) => line.replace(/^# */, '').trim())
    .join(' ');
}

export const topicOf = (text: string): string => /^# Topic: (.+)$/m.exec(text)?.[1]?.trim() ?? 'More';

/** The answer in one sentence, as a person put it: a line `# Answer: …`; empty: there is none. */
export const answerOf = (text: string): string => /^# Answer: (.+)$/m.exec(text)?.[1]?.trim() ?? '';
