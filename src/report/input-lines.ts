import { printable } from '../core/printable.js';
import { wrap } from './layout.js';

/** What is known of the input, before the answer. Text to paste stays in one line, however long. */
export function* inputLines(input: readonly string[] = [], width: number): Generator<string> {
  for (const paragraph of input) {
    const [sentence = '', ...verbatim] = paragraph.split('\n');
    yield* wrap(printable(sentence), width);
    for (const line of verbatim) yield printable(line);
  }
}
