/**
 * The configuration as the rest of lbsim sees it: camelCase names, durations in µs, 64-bit integers as bigint,
 * enumerations as the names of the v2 API.
 */
export type { Cluster } from './cluster/cluster-shape.js';
export type { ClusterLoadAssignment, LbEndpoint } from './endpoint.js';
export type { HealthCheck } from './cluster/health-check.js';
export type { StatsConfig } from './metrics.js';
export type { OutlierDetection } from './cluster/outlier.js';
