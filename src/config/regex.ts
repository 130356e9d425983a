/**
 * Whether a regular expression is one that the proxy takes. It uses RE2 or ECMAScript; JavaScript's engine is close to
 * both, and what RE2 has beyond it (`(?i)` and named groups in Python's spelling) is translated first.
 *
 * @returns what is wrong, or undefined.
 */
export function regexProblem(pattern: string): string | undefined {
  const open = unbalanced(pattern);
  if (open !== undefined) return `Invalid regex '${pattern}': ${open}`;
  try {
    compileRegex(pattern);
    return undefined;
  } catch (error) {
    return `Invalid regex '${pattern}': ${error instanceof Error ? reasonOf(error) : 'not a regular expression'}`;
  }
}

/** Compiles an expression of the proxy. Throws a SyntaxError if it is not one. */
export function compileRegex(pattern: string): RegExp {
  let flags = '';
  const body = pattern
    .replace(/^\(\?([is]+)\)/, (_, letters: string) => {
      flags = letters;
      return '';
    })
    .replaceAll('(?P<', '(?<')
    .replaceAll('\\A', '^')
    .replaceAll('\\z', '$');
  return new RegExp(body, [...new Set(flags)].join(''));
}

function reasonOf(error: Error): string {
  return error.message.replace(/^Invalid regular expression: .*: /, '');
}

function unbalanced(pattern: string): string | undefined {
  let depth = 0;
  let inClass = false;
  for (let index = 0; index < pattern.length; index += 1) {
    const letter = pattern[index];
    if (letter === '\\') index += 1;
    else if (inClass) inClass = letter !== ']';
    else if (letter === '[') inClass = true;
    else if (letter === '(') depth += 1;
    else if (letter === ')') depth -= 1;
    if (depth < 0) return 'The expression contained mismatched ( and ).';
  }
  if (inClass) return 'The expression contained mismatched [ and ].';
  return depth > 0 ? 'missing ): The expression contained mismatched ( and ).' : undefined;
}
