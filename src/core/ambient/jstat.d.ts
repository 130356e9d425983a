/** What is used of jStat, which brings no types. */
declare module 'jstat' {
  const jstat: {
    /** The regularised incomplete beta function of a and b. */
    ibeta(x: number, a: number, b: number): number;
    /** Its inverse. */
    ibetainv(probability: number, a: number, b: number): number;
    /** The logarithm of the beta function. */
    betaln(a: number, b: number): number;
    readonly normal: {
      cdf(x: number, mean: number, deviation: number): number;
      inv(probability: number, mean: number, deviation: number): number;
    };
  };
  export default jstat;
}
