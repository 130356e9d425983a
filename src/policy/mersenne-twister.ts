const SIZE = 624;
const MIDDLE = 397;

/**
 * MT19937: the engine of the proxy's bounded-load walk (`std::mt19937`). The decision depends on its exact values.
 * Most walks end after a draw or two, so a seed fills only as much of the state as the draws so far need.
 * Source: Matsumoto and Nishimura, "Mersenne Twister", ACM TOMACS 8 (1998); seeding of 2002.
 */
export class MersenneTwister {
  private readonly state = new Uint32Array(SIZE);
  /** Words of the state that the seed has filled. */
  private seeded = 0;
  private drawn = 0;

  seed(value: number): void {
    this.state[0] = value;
    this.seeded = 1;
    this.drawn = 0;
  }

  /** The next value, an unsigned 32-bit integer. */
  next(): number {
    const { state } = this;
    const here = this.drawn % SIZE;
    if (this.seeded < SIZE) this.fillTo(Math.min(SIZE, here + MIDDLE + 1));
    const joined = ((state[here] as number) & 0x80000000) | ((state[(here + 1) % SIZE] as number) & 0x7fffffff);
    let word = (state[(here + MIDDLE) % SIZE] as number) ^ (joined >>> 1) ^ (joined & 1 ? 0x9908b0df : 0);
    state[here] = word;
    this.drawn++;
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    return (word ^ (word >>> 18)) >>> 0;
  }

  private fillTo(end: number): void {
    const { state } = this;
    for (let i = this.seeded; i < end; i++) {
      const before = state[i - 1] as number;
      state[i] = Math.imul(before ^ (before >>> 30), 1812433253) + i;
    }
    this.seeded = Math.max(this.seeded, end);
  }
}
