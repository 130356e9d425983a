import { any, type AnyValue, canonicalName } from '../config/any.js';
import { block, didYouMean, either, optional, required, type Schema } from '../config/reader.js';
import type { Struct } from '../core/json-value.js';
import { integer, scalar } from './fields.js';
import { LbMetadata } from './metadata.js';
import type { RetryHostPredicate, RetryPriority } from '../settings/world.js';
import { accept, refuse } from './units.js';

/** The extensions of a retry policy: predicates that reject hosts, and retry priorities. */

const PREDICATES = 'proxy.retry_host_predicates.';
const PREVIOUS_HOSTS = `${PREDICATES}previous_hosts`;
const OMIT_CANARY_HOSTS = `${PREDICATES}omit_canary_hosts`;
const OMIT_HOST_METADATA = `${PREDICATES}omit_host_metadata`;
const PREVIOUS_PRIORITIES = 'proxy.retry_priorities.previous_priorities';

/** One of the names that the proxy registers, with either prefix. */
function nameOf(what: 'retry-host-predicate' | 'retry-priority', known: readonly string[]): Schema<string> {
  return scalar('name', what, (text) => {
    const name = canonicalName(text);
    if (known.includes(name)) return accept(name);
    return refuse(
      `${text} is no ${what.replaceAll('-', ' ')}${didYouMean(name, known) || `: known is ${known.join(', ')}`}`,
    );
  });
}

const PredicateName = nameOf('retry-host-predicate', [PREVIOUS_HOSTS, OMIT_CANARY_HOSTS, OMIT_HOST_METADATA]);

const Nothing = block('no options', () => ({}), { doc: 'Takes no options.' });

const OmitHostMetadata = block(
  'omit_host_metadata',
  () => ({ metadata_match: optional(LbMetadata, 'Hosts with all of these entries under proxy.lb are rejected.') }),
  { doc: 'Which hosts a retry avoids, by their metadata.' },
);

const PreviousPriorities = block(
  'previous_priorities',
  () => ({
    update_frequency: required(
      integer('update_frequency', 1, 2147483647),
      'After how many attempts priorities change.',
    ),
  }),
  { doc: 'Retries turn to priorities that no attempt has met yet.' },
);

const predicateTypes = {
  'config.retry.previous_hosts.v2.PreviousHostsPredicate': Nothing,
  'extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate': Nothing,
  'config.retry.omit_canary_hosts.v2.OmitCanaryHostsPredicate': Nothing,
  'extensions.retry.host.omit_canary_hosts.v3.OmitCanaryHostsPredicate': Nothing,
  'config.retry.omit_host_metadata.v2.OmitHostMetadataConfig': OmitHostMetadata,
  'extensions.retry.host.omit_host_metadata.v3.OmitHostMetadataConfig': OmitHostMetadata,
};

const priorityTypes = {
  'config.retry.previous_priorities.PreviousPrioritiesConfig': PreviousPriorities,
  'extensions.retry.priority.previous_priorities.v3.PreviousPrioritiesConfig': PreviousPriorities,
};

/** The options of an extension, where its `typed_config` is of a type that is known here. */
function typedOptions(typed: AnyValue | undefined): unknown {
  return typed?.known === true ? typed.value : undefined;
}

/** `proxy.retry_host_predicates.previous_hosts`, or `{name: …, config: {…}}` as the proxy's route has it. */
export const RetryHostPredicateSchema: Schema<RetryHostPredicate> = either(
  block(
    'retry host predicate',
    () => ({
      name: required(PredicateName, 'Name of the predicate.'),
      config: optional(OmitHostMetadata, 'Options of omit_host_metadata.'),
      typed_config: optional(any({ types: predicateTypes }), 'The same with its type.'),
    }),
    {
      doc: 'Hosts that a retry avoids.',
      oneOfs: [{ name: 'config_type', fields: ['config', 'typed_config'] }],
    },
  ),
  PredicateName,
).transform((value): RetryHostPredicate => {
  const { name, config, typedConfig } = typeof value === 'string' ? { name: value } : value;
  switch (name) {
    case OMIT_CANARY_HOSTS:
      return { kind: 'omit_canary_hosts' };
    case OMIT_HOST_METADATA: {
      const options = (config ?? typedOptions(typedConfig)) as { readonly metadataMatch?: Struct } | undefined;
      return { kind: 'omit_host_metadata', metadataMatch: options?.metadataMatch ?? {} };
    }
    default:
      return { kind: 'previous_hosts' };
  }
});

/** `{name: proxy.retry_priorities.previous_priorities, config: {update_frequency: 2}}`. */
export const RetryPrioritySchema: Schema<RetryPriority> = block(
  'retry priority',
  () => ({
    name: required(nameOf('retry-priority', [PREVIOUS_PRIORITIES]), 'Name of the extension.'),
    config: optional(PreviousPriorities, 'Its options.'),
    typed_config: optional(any({ types: priorityTypes }), 'The same with their type.'),
  }),
  {
    doc: 'Chooses the priorities of a retry.',
    oneOfs: [{ name: 'config_type', fields: ['config', 'typed_config'], required: true }],
  },
).transform(({ config, typedConfig }): RetryPriority => {
  const options = (config ?? typedOptions(typedConfig)) as { readonly updateFrequency: number } | undefined;
  return { updateFrequency: options?.updateFrequency ?? 1 };
});
