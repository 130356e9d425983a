import type { JSX } from 'preact';
import { visible } from '../number-format.js';

interface ChoiceProps<Value> {
  readonly value: Value;
  /** Each with its name. */
  readonly of: readonly (readonly [value: Value, name: string])[];
  readonly choose: (value: Value) => void;
}

/** One of several values. */
export function Choice<Value extends string | number>({ value, of, choose }: ChoiceProps<Value>): JSX.Element {
  const chosen = (place: number): void => of.slice(place, place + 1).forEach(([one]) => choose(one));
  return (
    <select value={value} onChange={(event) => chosen(event.currentTarget.selectedIndex)}>
      {of.map(([one, name]) => (
        <option key={one} value={one}>
          {name}
        </option>
      ))}
    </select>
  );
}

interface ParagraphsProps {
  readonly of: readonly string[];
  /** Characters of each. */
  readonly most?: number;
  readonly class?: string;
}

/** Sentences below each other. */
export function Paragraphs({ of, most = 1000, ...rest }: ParagraphsProps): JSX.Element {
  return (
    <>
      {of.map((text) => (
        <p key={text} {...rest}>
          {visible(text, most)}
        </p>
      ))}
    </>
  );
}
