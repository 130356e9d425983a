/** What is used of jStat, which brings no types. */
declare module 'jstat' {
  const jstat: {
    /** Inverse of the regularised incomplete beta function of a and b. */
    ibetainv(probability: number, a: number, b: number): number;
  };
  export default jstat;
}
