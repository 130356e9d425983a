/** Rules of the retry policies of routes: a scenario has its own retry policies. */
import { backoffOrder, backoffShape } from '../core.js';
import { extensionPoint } from '../extension.js';
import { message } from '../reader.js';

message(
  'route.RetryPolicy.RetryBackOff',
  backoffShape,
  backoffOrder('retry_policy.max_interval must greater than or equal to the base_interval'),
);

extensionPoint(
  'route.RetryPolicy.RetryPriority',
  'retry priority',
  new Map([['proxy.retry_priorities.previous_priorities', 'needs a configuration']]),
);

extensionPoint(
  'route.RetryPolicy.RetryHostPredicate',
  'retry host predicate',
  new Map([
    ['proxy.retry_host_predicates.previous_hosts', 'may be empty'],
    ['proxy.retry_host_predicates.omit_canary_hosts', 'may be empty'],
    ['proxy.retry_host_predicates.omit_host_metadata', 'may be empty'],
  ]),
);
