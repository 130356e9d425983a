/** What is used of jStat, which brings no types. */
declare module 'jstat' {
  const jstat: {
    /** The regularised incomplete beta function of a and b. */
    ibeta(x: number, a: number, b: number): number;
    /** Its inverse. */
    ibetainv(probability: number, a: number, b: number): number;
    /** The logarithm of the beta function. */
    betaln(a: number, b: number): number;
    erf(x: number): number;
    /** The inverse of 1 - erf. */
    erfcinv(x: number): number;
  };
  export default jstat;
}
