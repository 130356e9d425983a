import { replays } from './conformance/replays.js';

/** Apart from the other recordings, as these take as long, and another core may replay them. */
replays({
  'recorded/today/birth': 18,
  'recorded/today/closing': 18,
  'recorded/today/cluster-hash': 10,
  'recorded/today/hedging': 16,
  'recorded/today/mirror': 14,
  'recorded/today/preconnect': 12,
  'recorded/today/route-hash': 16,
  'recorded/today/sticky-canary': 15,
  'recorded/today/tcp': 14,
  'recorded/today/workers': 16,
});
