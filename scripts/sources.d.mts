/** Makes what sources import and git does not hold, where it is missing. */
export function completeSources(): void;
