/**
 * The configuration as the rest of lbsim sees it: camelCase names, durations in µs, 64-bit integers as bigint,
 * enumerations as the names of the v2 API.
 */
export type { Address } from './address.js';
export type { AnyValue } from './any.js';
export type { CircuitBreakers, Thresholds } from './circuit-breakers.js';
export type { Cluster } from './cluster-shape.js';
export type { Locality, Metadata, Node } from './core.js';
export type { DiscoveryType } from './discovery.js';
export type { ClusterLoadAssignment, Endpoint, HealthStatus, LbEndpoint, LocalityLbEndpoints } from './endpoint.js';
export type { HealthCheck } from './health-check.js';
export type { CommonLbConfig, LbPolicy, LbSubsetConfig } from './load-balancing.js';
export type { Sink, StatsConfig, StatsMatcher, StatsSink, TagSpecifier } from './metrics.js';
export type { OutlierDetection } from './outlier.js';
export type { FractionalPercent, Percent, RuntimeDouble } from './percent.js';
export type { HeaderMatcher } from './route-match.js';
