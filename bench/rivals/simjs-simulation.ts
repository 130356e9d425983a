/** What is used of npm `simjs`, which has no types: it is a bundle for browsers and hangs itself into `window`. */
interface Sim {
  time(): number;
  addEntity(kind: new (...args: never[]) => object): unknown;
  simulate(endTime: number): void;
}
interface Entity {
  setTimer(duration: number): Pending;
  useFacility(facility: object, duration: number): Pending;
}
interface Pending {
  done(callback: (value: number) => void, context: object, argument: number): void;
}
interface SimModule {
  readonly Sim: new () => Sim;
  readonly Entity: new (...args: never[]) => Entity;
  readonly Facility: new (name: string) => object;
}

/** The model of `simulateWithClosures` as users of simjs write it: a facility a host, a timer until the next arrival. */
export async function simulateWithSimjs(
  hosts: number,
  requests: number,
  gapMs: number,
  serviceMs: number,
): Promise<number> {
  const page = globalThis as { window?: { Sim?: SimModule } };
  page.window ??= {};
  await import('simjs');
  const library = page.window.Sim;
  if (library === undefined) throw new Error('simjs is not in window');
  const fleet = Array.from({ length: hosts }, (_, i) => ({ active: 0, facility: new library.Facility(`h${i}`) }));
  const exponential = (mean: number): number => -Math.log(1 - Math.random()) * mean;
  const sim = new library.Sim();
  let sent = 0;
  let total = 0;
  class Client extends library.Entity {
    start(): void {
      this.setTimer(exponential(gapMs)).done(() => this.arrive(), this, 0);
    }
    arrive(): void {
      const one = fleet[Math.floor(Math.random() * hosts)];
      const other = fleet[Math.floor(Math.random() * hosts)];
      if (one === undefined || other === undefined) return;
      const host = other.active < one.active ? other : one;
      host.active++;
      const arrived = sim.time();
      const end = (): void => {
        host.active--;
        total += sim.time() - arrived;
      };
      this.useFacility(host.facility, exponential(serviceMs)).done(end, this, 0);
      if (++sent < requests) this.start();
    }
  }
  sim.addEntity(Client);
  sim.simulate(Infinity);
  return total / requests;
}
