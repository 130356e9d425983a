/** The load that a host reports with an answer. */
export interface LoadReport {
  readonly cpuUtilization: number;
  readonly memUtilization: number;
  readonly applicationUtilization: number;
  /** Requests a second. */
  readonly rps: number;
  /** Errors a second. */
  readonly eps: number;
  readonly namedMetrics: Readonly<Record<string, number>>;
  /** `utilization` of the report: by resource. */
  readonly utilization: Readonly<Record<string, number>>;
}
