/** What `work` gives, or `otherwise` where it throws: for questions whose errors all mean the same. */
export function attempt<Result, Otherwise>(work: () => Result, otherwise: Otherwise): Result | Otherwise {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
