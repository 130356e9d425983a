interface Happening {
  readonly at: number;
  readonly then: () => void;
}

/**
 * The bare queueing model as one writes it first: an object and a closure for each event, in a binary heap. It knows no
 * proxy: no connections, limits, time-outs, priorities, panic or statistics, only arrivals, two choices, queues.
 *
 * @returns mean time of a request in ms.
 */
export function simulateWithClosures(hosts: number, requests: number, gapMs: number, serviceMs: number): number {
  const heap: Happening[] = [];
  const fleet = Array.from({ length: hosts }, () => ({ active: 0, waiting: [] as number[] }));
  const exponential = (mean: number): number => -Math.log(1 - Math.random()) * mean;
  let now = 0;
  let sent = 0;
  let total = 0;

  const serve = (host: (typeof fleet)[number], arrived: number): void => {
    push(heap, {
      at: now + exponential(serviceMs),
      then: () => {
        total += now - arrived;
        host.active--;
        const next = host.waiting.shift();
        if (next !== undefined) serve(host, next);
      },
    });
  };
  const arrive = (): void => {
    const one = fleet[Math.floor(Math.random() * hosts)];
    const other = fleet[Math.floor(Math.random() * hosts)];
    if (one === undefined || other === undefined) return;
    const host = other.active < one.active ? other : one;
    if (host.active++ === 0) serve(host, now);
    else host.waiting.push(now);
    if (++sent < requests) push(heap, { at: now + exponential(gapMs), then: arrive });
  };

  push(heap, { at: exponential(gapMs), then: arrive });
  for (let next = pop(heap); next !== undefined; next = pop(heap)) {
    now = next.at;
    next.then();
  }
  return total / requests;
}

function push(heap: Happening[], event: Happening): void {
  let at = heap.length;
  heap.push(event);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent];
    if (above === undefined || above.at <= event.at) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = event;
}

function pop(heap: Happening[]): Happening | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (first === undefined || last === undefined || heap.length === 0) return first;
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    const right = heap[left + 1];
    let below = heap[left];
    if (below === undefined) break;
    let child = left;
    if (right !== undefined && right.at < below.at) {
      below = right;
      child = left + 1;
    }
    if (below.at >= last.at) break;
    heap[at] = below;
    at = child;
  }
  heap[at] = last;
  return first;
}
