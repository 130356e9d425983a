import type { Messages } from './api/generated/read-messages.js';
import { message, rule } from './reader.js';

message(
  'endpoint.Endpoint',
  rule('health-check-port', ['address', 'health_check_config'], ({ address, healthCheckConfig }, report) => {
    if (address.pipe === undefined || (healthCheckConfig?.portValue ?? 0) === 0) return;
    const text = 'Invalid host configuration: non-zero port for non-IP address';
    report(text, ['health_check_config', 'port_value']);
  }),
);

export const LbEndpoint = message('endpoint.LbEndpoint');
export type LbEndpoint = Messages['endpoint.LbEndpoint'];

message(
  'endpoint.LocalityLbEndpoints',
  rule('load-balancer-endpoints', [], (_, report, has) => {
    if (!has('load_balancer_endpoints')) return;
    const text = 'the proxy does not read load_balancer_endpoints: write its hosts as lb_endpoints of the locality';
    report(text, ['load_balancer_endpoints'], 'warning');
  }),
);
export type LocalityLbEndpoints = Messages['endpoint.LocalityLbEndpoints'];

export const ClusterLoadAssignment = message('ClusterLoadAssignment');
export type ClusterLoadAssignment = Messages['ClusterLoadAssignment'];
