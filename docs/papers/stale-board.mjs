// Choices by a board that is written every `period`: the shortest of `choices` queues as they were then, of all of them where there are
// fewer hosts. Source: Mitzenmacher, "How useful is old information?", IEEE Transactions on Parallel and Distributed Systems 11 (2000),
// the model of periodic updates. Draws: one for each host drawn and one for each tie.

export default {
  name: 'STALE_BOARD',
  kind: 'list',
  looksAtLoad: true,
  drawsHosts: true,
  settings: {
    choices: { type: 'integer', default: 2, minimum: 1, maximum: 1000 },
    period: { type: 'duration', default: 100_000, exclusiveMinimum: 0 },
  },
  start: ({ settings, clock }) => ({
    choices: Number(settings.choices),
    periodUs: Number(settings.period),
    clock,
    phase: -1,
    loads: [],
  }),
  refresh(state) {
    state.phase = -1;
  },
  choose(state, _source, hosts, { random }) {
    const draw = (count) => {
      random.next();
      return random.lo % count;
    };
    const phase = Math.floor(state.clock.nowUs / state.periodUs);
    if (phase !== state.phase) {
      state.phase = phase;
      state.loads = hosts.map(({ activeRequests }) => activeRequests);
    }
    const { loads, choices } = state;
    const places = [...hosts.keys()];
    const drawn = Math.min(choices, hosts.length);
    if (drawn < hosts.length) {
      for (let place = 0; place < drawn; place++) {
        const other = place + draw(hosts.length - place);
        [places[place], places[other]] = [places[other], places[place]];
      }
    }
    const seen = places.slice(0, drawn);
    const least = seen.reduce((most, host) => Math.min(most, loads[host]), Infinity);
    const shortest = seen.filter((host) => loads[host] === least);
    return shortest[shortest.length === 1 ? 0 : draw(shortest.length)];
  },
};
