/** What is measured: jobs of lbsim (bench/lbsim.ts), and beside what. */
export interface Row {
  readonly what: string;
  /** What lbsim does. */
  readonly job: string;
  readonly rivals: readonly Rival[];
  /** What both sides must agree on: all that came out, as a checksum, or means, where their streams of chance differ. */
  readonly agree?: 'checksum' | 'mean';
  /** By which part means may differ. */
  readonly within?: number;
  /** Each run has a process of its own, so that nothing is compiled or warm. */
  readonly first?: true;
  readonly rounds: number;
}

export interface Rival {
  readonly name: string;
  /** What it does otherwise than lbsim. */
  readonly how?: string;
  readonly job: string;
  /** What lbsim should need for what the rival does in 1. */
  readonly goal?: Goal;
}

/** `isBound`: less was the goal and is out of reach, as docs/performance.md says of each; this much is not to be exceeded. */
type Goal = { readonly ratio: number; readonly isBound?: true };

const bound = (ratio: number): Goal => ({ ratio, isBound: true });

const LARGEST = 8_388_608;
/** What takes a few milliseconds is done several times in a row: the first of them finds the caches full of what the other side did. */
const TIMES = 10;
/** What no rival but C++ has beside its queue: priority and panic, breakers, connections, time-outs, retries, statistics. */
const BARE = 'a queue and no proxy';

/** @param small sizes that take a moment each. */
export function rowsOf(small: boolean): Row[] {
  const size = (full: number, less: number): number => (small ? less : full);
  return [
    ring(size(LARGEST, 1_048_576), { first: true, goal: 0.25 }),
    ring(65_536, { first: true }),
    ...(small ? [] : [ring(LARGEST, { goal: 0.3 }), ring(1_048_576, { goal: 0.3 })]),
    ring(65_536, { goal: 0.3 }),
    ring(65_536, { npm: true }),
    // Half of the time is the kernel's; the rest is calls, buffers and their garbage.
    ring(1024, { goal: 1 }),
    // As many instructions for each as C++ has or more: less time only where that guesses more jumps wrong.
    lookup('lookup', 'hash', 1024, 0.35),
    lookup('lookup', 'hash', 65_536, 0.25),
    lookup('lookup', 'hash', size(LARGEST, 1_048_576), 0.35),
    // Reading the characters of a key alone takes two to three times as long as C++ takes to hash them.
    lookup('keys', 'key', 1024, 1.2),
    lookup('keys', 'key', 65_536, 0.8),
    batch('lookups', 'lookup', 'look-ups by hash', 65_536, 0.25),
    // Two reads that wait for each other, of memory that no cache holds: 150 ns a look-up.
    batch('lookups', 'lookup', 'look-ups by hash', size(LARGEST, 1_048_576), 0.4),
    batch('key-batch', 'keys', 'look-ups by key', 65_536, 0.65),
    batch('moves', 'moves', 'moves of keys as a host leaves,', 65_536, 0.25),
    maglev(100, { first: true }),
    // Six probes a slot and a jump guessed wrong at the end of each walk, in both languages.
    maglev(100, { ratio: 0.85 }),
    maglev(10_000, { first: true }),
    // A third of it is keys: written into the kernel and sorted.
    maglev(10_000, { ratio: 0.95 }),
    edf(100, { ratio: 0.85 }),
    edf(1000, { ratio: 0.9 }),
    edf(10_000, { ratio: 1 }),
    simulation(size(10_000_000, 200_000), 3, [
      // Twice is what one loop over columns takes, which would be a second engine.
      { name: 'C++', how: 'as the proxy', job: 'full', goal: bound(4) },
      ...['C++', 'Go', 'NeXosim', 'closures'].map((name) => ({
        name,
        how: BARE,
        job: name === 'C++' ? 'bare' : 'simulate',
      })),
    ]),
    // A whole proxy beside a queue: C++ of the bare model, which is ten times as fast as simjs, would have missed an eighth.
    simulation(size(200_000, 50_000), 5, [{ name: 'simjs', how: BARE, job: 'simulate', goal: bound(0.9) }]),
    simulation(size(100_000, 20_000), 5, [{ name: 'SimPy', how: BARE, job: 'simulate', goal: bound(0.25) }]),
    million('million', size(100, 10), []),
    million('million-lifecycle', size(100, 10), [
      { name: 'lbsim', job: millionJob('million', size(100, 10)), goal: { ratio: 1.6 } },
    ]),
    {
      what: '100 times one host of 10,000 fails or returns by EDS; beside all',
      job: 'change 10000 1 set_health',
      rivals: [{ name: 'lbsim', job: 'change 10000 all set_health', goal: bound(0.1) }],
      rounds: 5,
    },
    {
      what: '100 times one host of 10,000 goes down or comes back',
      job: 'change 10000 1 set_behavior',
      rivals: [],
      rounds: 5,
    },
    // Node's own start, and nothing but the version.
    start('--version', 1.5),
    // More than half of their instructions compile what is called for the first time, or skip what is not called.
    start('validate scenarios/tiny-ring.yaml', 3.3),
    start('predict scenarios/tiny-ring.yaml', 4.2),
  ];
}

function ring(entries: number, { goal, first, npm }: { goal?: number; first?: true; npm?: true }): Row {
  const hosts = entries < 10_000 ? 10 : 100;
  const isOne = first !== undefined || npm !== undefined || entries > 1_000_000;
  const times = isOne ? 1 : entries < 10_000 ? 100 * TIMES : TIMES;
  const job = `ring ${entries} ${hosts} ${times}`;
  return {
    what: `${times === 1 ? 'ring' : `${count(times)} rings`} of ${count(entries)}, ${hosts} hosts${first === undefined ? '' : ', first of a process'}`,
    job,
    // Apart: what they leave in the caches would count as ours.
    rivals:
      npm === undefined
        ? [{ name: 'C++', job, ...(goal === undefined ? {} : { goal: { ratio: goal } }) }]
        : ['BigInt + sort', 'hashring', 'consistent-hash'].map((name) => ({ name, job })),
    agree: 'checksum',
    ...(first === undefined ? {} : { first }),
    rounds: 7,
  };
}

function lookup(kind: string, noun: string, entries: number, ratio: number): Row {
  const keys = 200_000;
  const job = `${kind} ${entries} 100 ${keys} ${TIMES}`;
  return {
    what: `${TIMES} × ${count(keys)} look-ups by ${noun} on a ring of ${count(entries)}`,
    job,
    rivals: [
      { name: 'C++', job, goal: bound(ratio) },
      ...(kind === 'lookup' ? [{ name: 'C++', how: 'with an index', job: job.replace(kind, 'indexed') }] : []),
    ],
    agree: 'checksum',
    rounds: 7,
  };
}

function batch(ours: string, theirs: string, noun: string, entries: number, ratio: number): Row {
  const keys = 200_000;
  return {
    what: `${TIMES} batches of ${count(keys)} ${noun} on a ring of ${count(entries)}`,
    job: `${ours} ${entries} 100 ${keys} ${TIMES}`,
    rivals: [{ name: 'C++', job: `${theirs} ${entries} 100 ${keys} ${TIMES}`, goal: bound(ratio) }],
    agree: 'checksum',
    rounds: 7,
  };
}

function maglev(hosts: number, { first, ratio }: { first?: true; ratio?: number }): Row {
  const times = first === undefined ? TIMES : 1;
  const job = `maglev 65537 ${hosts} ${times}`;
  return {
    what: `${times === 1 ? 'Maglev' : `${times} × Maglev`} of 65,537, ${count(hosts)} hosts${first === undefined ? '' : ', first of a process'}`,
    job,
    rivals: [{ name: 'C++', job, ...(ratio === undefined ? {} : { goal: bound(ratio) }) }],
    agree: 'checksum',
    ...(first === undefined ? {} : { first }),
    rounds: 7,
  };
}

function edf(hosts: number, goal: Goal): Row {
  const job = `edf ${hosts} 1000000`;
  return {
    what: `1,000,000 picks of EDF of ${count(hosts)}`,
    job,
    rivals: [{ name: 'C++', job, goal }],
    agree: 'checksum',
    rounds: 7,
  };
}

function simulation(requests: number, rounds: number, rivals: readonly Rival[]): Row {
  return {
    what: `${count(requests)} requests to 100 hosts`,
    job: `simulate ${requests}`,
    rivals: rivals.map((rival) => ({ ...rival, job: `${rival.job} ${requests}` })),
    agree: 'mean',
    // Five standard errors of a million's.
    within: 0.03 * Math.max(1, Math.sqrt(1_000_000 / requests)),
    rounds,
  };
}

function million(name: string, seconds: number, rivals: readonly Rival[]): Row {
  return {
    what: `lbsim run bench/${name}.yaml --json, ${count(seconds * 10_000)} requests`,
    job: millionJob(name, seconds),
    rivals,
    rounds: 5,
  };
}

function millionJob(name: string, seconds: number): string {
  return `command run bench/${name}.yaml --json --set workloads.0.stop=${seconds}s`;
}

function start(args: string, ratio: number): Row {
  return {
    what: `lbsim ${args}, beside Node alone`,
    job: `command ${args}`,
    rivals: [{ name: 'lbsim', job: 'node', goal: bound(ratio) }],
    rounds: 9,
  };
}

function count(value: number): string {
  return value.toLocaleString('en');
}
