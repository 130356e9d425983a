/** The seed of the n-th run under one seed, from 0. The first run is that of `lbsim run`. */
export function seedOfRun(seed: string, run: number): string {
  return run === 0 ? seed : `${seed}-${run + 1}`;
}
