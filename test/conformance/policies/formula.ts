import { FormatError } from '../fields.js';

/**
 * Value of a formula in numbers, names, `+ - * /` and parentheses, computed in doubles from left to right as it stands.
 *
 * @throws FormatError for anything else.
 */
export function evaluate(formula: string, names: Readonly<Record<string, number>>): number {
  const tokens = formula.match(/\d+(?:\.\d+)?(?:e-?\d+)?|[a-z_]+|\S/g) ?? [];
  let at = 0;

  function sum(): number {
    let value = product();
    while (tokens[at] === '+' || tokens[at] === '-')
      value = tokens[at++] === '+' ? value + product() : value - product();
    return value;
  }

  function product(): number {
    let value = atom();
    while (tokens[at] === '*' || tokens[at] === '/') value = tokens[at++] === '*' ? value * atom() : value / atom();
    return value;
  }

  function atom(): number {
    const token = tokens[at++] ?? 'its end';
    if (token === '(') {
      const value = sum();
      if (tokens[at++] !== ')') throw new FormatError(`${formula}: a parenthesis is open`);
      return value;
    }
    const value = /^\d/.test(token) ? Number(token) : names[token];
    if (value === undefined) throw new FormatError(`${formula}: ${token} is not known`);
    return value;
  }

  const value = sum();
  if (at < tokens.length) throw new FormatError(`${formula}: cannot read ${tokens.slice(at).join('')}`);
  return value;
}
