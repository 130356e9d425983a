/** Checks of arguments for callers without types, so that a wrong call fails with a clear message. */

/** @throws TypeError where a text stands in the place of `{file, text}`. */
export function demandInput(input: unknown): void {
  const inputs: readonly unknown[] = Array.isArray(input) ? (input as readonly unknown[]) : [input];
  for (const one of inputs) {
    const fields = (typeof one === 'object' && one !== null ? one : {}) as Readonly<Record<string, unknown>>;
    if (typeof fields['file'] === 'string' && typeof fields['text'] === 'string') continue;
    const seen = typeof one === 'string' ? 'a text' : one === null ? 'null' : `${typeof one} without both`;
    throw new TypeError(
      `loadScenario takes {file, text}, or a list of them, and got ${seen}: write loadScenario({file: 'web.yaml', text})`,
    );
  }
}

/** @throws TypeError where something else stands in the place of a scenario, as the result of `loadScenario`. */
export function demandScenario(scenario: unknown, caller: string): void {
  const fields = (typeof scenario === 'object' && scenario !== null ? scenario : {}) as Readonly<
    Record<string, unknown>
  >;
  if (Array.isArray(fields['clusters']) && Array.isArray(fields['proxies'])) return;
  const why =
    scenario === undefined
      ? 'undefined: the scenario did not load, and problems of loadScenario say why'
      : 'problems' in fields
        ? 'the whole result of loadScenario: hand its scenario on'
        : 'something else: write const {scenario} = loadScenario({file, text})';
  throw new TypeError(`${caller} takes a scenario, and got ${why}`);
}
