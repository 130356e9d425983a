/** Typed arrays that grow together: what a table of open things keeps, one column per fact. */

export function grownDoubles(old: Float64Array, size: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(size);
  larger.set(old);
  return larger;
}

export function grownInts(old: Int32Array, size: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(size);
  larger.set(old);
  return larger;
}

export function grownBytes(old: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(size);
  larger.set(old);
  return larger;
}

/** Hands out small integers and takes them back; the one given back last is handed out next. */
export class Slots {
  private free = new Int32Array(256);
  private freeCount = 0;
  /** Slots that are out. */
  open = 0;
  /** One past the highest slot ever handed out. */
  used = 0;

  acquire(): number {
    this.open++;
    return this.freeCount > 0 ? (this.free[--this.freeCount] as number) : this.used++;
  }

  release(slot: number): void {
    if (this.freeCount === this.free.length) this.free = grownInts(this.free, this.free.length * 2);
    this.free[this.freeCount++] = slot;
    this.open--;
  }
}
