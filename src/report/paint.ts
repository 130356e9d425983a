/** Colours and emphasis in a terminal. Each function returns its argument with or without escape sequences. */
export interface Paint {
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly odd: (text: string) => string;
  readonly bar: (text: string) => string;
}

const same = (text: string): string => text;

/** No escape sequences: for pipes, files, NO_COLOR and tests. */
export const PLAIN: Paint = { strong: same, faint: same, good: same, bad: same, odd: same, bar: same };
