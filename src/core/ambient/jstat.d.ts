/** What is used of jStat, which brings no types. */
declare module 'jstat' {
  const jstat: {
    readonly studentt: {
      /** The value that Student's t does not exceed with this probability. */
      inv(probability: number, degrees: number): number;
    };
  };
  export default jstat;
}
