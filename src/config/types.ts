/**
 * The configuration as the rest of lbsim sees it: camelCase names, durations in µs, 64-bit integers as bigint,
 * enumerations as the names of the v2 API.
 */
import type { Messages } from './api/generated/read-messages.js';

export type { Cluster } from './cluster/cluster-shape.js';
export type { ClusterLoadAssignment, LbEndpoint } from './endpoint.js';
export type { StatsConfig } from './metrics.js';
export type HealthCheck = Messages['core.HealthCheck'];
export type OutlierDetection = Messages['cluster.OutlierDetection'];
