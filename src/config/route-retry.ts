/** Rules of the retry policies of routes: a scenario has its own retry policies. */
import { any } from './any.js';
import { backoffOrder, backoffShape } from './core.js';
import { extensionByName } from './extension.js';
import { message, optional, required } from './reader.js';
import { string, struct } from './reader/proto.js';

message(
  'route.RetryPolicy.RetryBackOff',
  backoffShape,
  backoffOrder('retry_policy.max_interval must greater than or equal to the base_interval'),
);

const extensionShape = () => ({
  name: required(string()),
  config: optional(struct()),
  typed_config: optional(any({ types: {} })),
});

message(
  'route.RetryPolicy.RetryPriority',
  extensionShape,
  extensionByName('retry priority', new Map([['proxy.retry_priorities.previous_priorities', 'needs a configuration']])),
);

message(
  'route.RetryPolicy.RetryHostPredicate',
  extensionShape,
  extensionByName(
    'retry host predicate',
    new Map([
      ['proxy.retry_host_predicates.previous_hosts', 'may be empty'],
      ['proxy.retry_host_predicates.omit_canary_hosts', 'may be empty'],
      ['proxy.retry_host_predicates.omit_host_metadata', 'may be empty'],
    ]),
  ),
);
