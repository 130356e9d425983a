/** Where the key in work lies: prefix, underscore, digits. Bytes up to 8 behind it may be read. */
export let keyStart: usize = 0;
/** The key without its last digit: `prefix_12` stands for `prefix_120` … `prefix_129`. */
let stemStart: usize = 0;
let stemEnd: usize = 0;

export function placeKey(address: usize): void {
  keyStart = address;
}

/** Where the decimal digits begin, counted from the start of the key. */
export function digitsAt(): u32 {
  return <u32>(stemStart - keyStart);
}

/** Begins the keys of a host. The prefix has no underscore yet. */
export function startKey(prefix: usize, length: u32): void {
  memory.copy(keyStart, prefix, length);
  stemStart = keyStart + length + 1;
  store<u8>(stemStart - 1, 95);
}

/** Writes `tens` in decimal after the prefix; nothing for 0, since a key has no leading zero. */
export function setTens(tens: u32): void {
  let digits: u32 = 0;
  for (let rest = tens; rest > 0; rest /= 10) digits++;
  stemEnd = stemStart + digits;
  let at = stemEnd;
  for (let rest = tens; rest > 0; rest /= 10) store<u8>(--at, <u8>(48 + (rest % 10)));
}

/** Counts the stem up by one, in place. */
export function nextTens(): void {
  let at = stemEnd;
  while (at > stemStart) {
    const digit = load<u8>(--at);
    if (digit < 57) {
      store<u8>(at, digit + 1);
      return;
    }
    store<u8>(at, 48);
  }
  // All nines, or nothing at all: one digit more.
  store<u8>(stemStart, 49);
  if (stemEnd > stemStart) store<u8>(stemEnd, 48);
  stemEnd++;
}

/** Length of the ten keys of the stem, their last digit included. */
@inline
export function keyLength(): u32 {
  return <u32>(stemEnd - keyStart) + 1;
}

/** Closes the key with a digit 0. */
@inline
export function setLastDigitZero(): void {
  store<u8>(stemEnd, 48);
}
