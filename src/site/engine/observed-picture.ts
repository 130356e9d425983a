import type { Observation } from '../../analysis/observe/observe.js';
import { sentence } from '../../report/format.js';

export type ObservedPicture = ReturnType<typeof observedPicture>;

/** What hosts were seen to get, in sentences and tables. */
export const observedPicture = ({ says, notes, verdict, clusters }: Observation) => ({
  told: [says, ...notes].map(sentence),
  isOff: verdict === 'not_as_configured',
  clusters: Object.entries(clusters),
});
