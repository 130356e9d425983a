/**
 * Rules of fields of a cluster that decide where a request goes, shared with the messages of policies in v3.
 */
import type { Messages } from '../api/generated/read-messages.js';
import { message } from '../reader.js';
import type { Rule } from '../reader/schema.js';

/** The proxy's limit on Maglev tables. */
export const MAX_MAGLEV_SIZE = 5000011;

export const fallbackKeys: Rule<Messages['Cluster.LbSubsetConfig.LbSubsetSelector']> = {
  name: 'fallback-keys-subset',
  reads: ['keys', 'fallback_policy', 'fallback_keys_subset'],
  check: ({ keys, fallbackPolicy, fallbackKeysSubset }, report, _, api) => {
    const at = ['fallback_keys_subset'];
    // A 1.40 ignores a selector without keys.
    if (keys.length === 0 && api === 'v3') return;
    if (fallbackPolicy !== 'KEYS_SUBSET') {
      if (fallbackKeysSubset.length > 0) {
        report('fallback_keys_subset can be set only for KEYS_SUBSET fallback_policy', at);
      }
      return;
    }
    const own = new Set(keys);
    const fewer = new Set(fallbackKeysSubset);
    const foreign = fallbackKeysSubset.find((key) => !own.has(key));
    if (fewer.size === 0) report('fallback_keys_subset cannot be empty', at);
    else if (foreign !== undefined) {
      report(`fallback_keys_subset must be a subset of keys: ${foreign} is not among ${keys.join(', ')}`, at);
    } else if (fewer.size === own.size) report('fallback_keys_subset cannot be equal to keys', at);
  },
};

message('Cluster.LbSubsetConfig.LbSubsetSelector', fallbackKeys);

export const choiceCount: Rule<Messages['Cluster.LeastRequestLbConfig']> = {
  name: 'choice-count',
  reads: ['choice_count', 'selection_method'],
  check: ({ choiceCount, selectionMethod }, report) => {
    if (choiceCount !== 0 || selectionMethod !== 'N_CHOICES') return;
    const text = 'choice_count: 0 draws no host: as long as all weights are equal, every request fails';
    report(text, ['choice_count'], 'warning');
  },
};

message('Cluster.LeastRequestLbConfig', choiceCount);
