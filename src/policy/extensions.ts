import { contribPeakEwma } from './extensions/contrib-peak-ewma.js';
import { peakEwma } from './extensions/peak-ewma.js';
import { powerOfD } from './extensions/power-of-d.js';
import { prequal } from './extensions/prequal.js';
import { rendezvous } from './extensions/rendezvous.js';
import { smoothWeightedRoundRobin } from './extensions/smooth-weighted-round-robin.js';
import { weightedLeastConnections } from './extensions/weighted-least-connections.js';
import type { PolicyModule } from './foreign/policy-module.js';

/** Policies that the proxy has not and that people compare with, by the name that clusters give. */
export const EXTENSIONS: Readonly<Record<string, PolicyModule>> = {
  PEAK_EWMA: peakEwma,
  PREQUAL: prequal,
  POWER_OF_D: powerOfD,
  SMOOTH_WEIGHTED_ROUND_ROBIN: smoothWeightedRoundRobin,
  WEIGHTED_LEAST_CONNECTIONS: weightedLeastConnections,
  RENDEZVOUS: rendezvous,
  CONTRIB_PEAK_EWMA: contribPeakEwma,
};

/** Of them, those that contrib builds of the proxy have, by their messages. */
export const CONTRIB: Readonly<Record<string, string>> = {
  'envoy.extensions.load_balancing_policies.peak_ewma.v3alpha.PeakEwma': 'CONTRIB_PEAK_EWMA',
};
