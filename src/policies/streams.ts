import { demand, TEXT } from '../core/arguments.js';
import { type RandomStream, RandomStreams } from '../random/streams.js';

/**
 * One of the independent streams of a seed: 64-bit draws for decisions, doubles in [0, 1) for distributions.
 *
 * The same seed and name give the same values as a run's. It is the one function here with dependencies: the generator is
 * seedrandom's Alea, seeded with the 32-bit MurmurHash3 of "seed/name" by `murmurhash`.
 */
export function seededStream(seed: string, name: string): RandomStream {
  demand('seededStream', ['seed', seed, TEXT], ['name', name, TEXT]);
  return new RandomStreams(seed).stream(name);
}
