/**
 * Whether a recorded rotation is part of ours: equal from some start. Where a rotation starts is a random number that
 * the recording does not know.
 */
export function rotationStart(recorded: readonly number[], ours: readonly number[]): number {
  return firstStart(recorded, ours, (start) => recorded.every((pick, at) => ours[start + at] === pick));
}

/**
 * Where ours has to start so that after each pick no host has been picked more than once more, or less, than recorded;
 * -1 if nowhere. Weighted schedules break their ties by rounding, so picks may swap with their neighbours.
 *
 * @param hosts number of hosts; picks are indices below it.
 */
export function scheduleStart(recorded: readonly number[], ours: readonly number[], hosts: number): number {
  const lead = new Int32Array(hosts);
  return firstStart(recorded, ours, (start) => {
    lead.fill(0);
    for (let i = 0; i < recorded.length; i++) {
      const theirs = recorded[i] as number;
      const mine = ours[start + i] as number;
      lead[theirs] = (lead[theirs] as number) + 1;
      lead[mine] = (lead[mine] as number) - 1;
      if (Math.abs(lead[theirs]) > 1 || Math.abs(lead[mine]) > 1) return false;
    }
    return true;
  });
}

function firstStart(recorded: readonly number[], ours: readonly number[], fits: (start: number) => boolean): number {
  for (let start = 0; start + recorded.length <= ours.length; start++) if (fits(start)) return start;
  return -1;
}
