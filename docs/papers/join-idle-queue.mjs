// Join-Idle-Queue: any idle host, else any host. Source: Lu, Xie, Kliot, Geller, Larus and Greenberg, "Join-Idle-Queue: A novel
// load balancing algorithm for dynamically scalable web services", Performance Evaluation 68 (2011), with one dispatcher, which
// knows who is idle from the answers that it passes on.

export default {
  name: 'JOIN_IDLE_QUEUE',
  kind: 'list',
  looksAtLoad: true,
  drawsHosts: true,
  start: () => null,
  refresh() {},
  choose(_state, _source, hosts, { random }) {
    const draw = (count) => {
      random.next();
      return random.lo % count;
    };
    const idle = [...hosts.keys()].filter((index) => hosts[index].activeRequests === 0);
    return idle.length === 0 ? draw(hosts.length) : idle[draw(idle.length)];
  },
};
