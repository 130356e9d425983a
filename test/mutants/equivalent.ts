/**
 * Mutations that change no decision, with the reason: by file and declaration, with the changes as a run names them.
 */
export const EQUIVALENT: Readonly<Record<string, readonly (readonly [place: string, changes: string, why: string])[]>> =
  {
    'src/hostset/build-host-set.ts': [
      [
        'buildHostSet',
        '=== → !==, === → !== #2, false → true #2',
        'without recorded changes hosts are compared one by one',
      ],
    ],
    'src/hostset/subset/client-subset.ts': [
      ['ClientSubsetBalancer.takeOver', 'without return', 'balancers of all threads are of one class'],
      ['ClientSubsetBalancer.takes', '< → <=', 'one draw of 2⁶⁴'],
      ['ClientSubsetBalancer.takes', '+ → -', 'one draw of 2³²'],
      ['ClientSubsetBalancer.divided', '1 → 0, 1 → 2', 'all parts are alike, and none is compared'],
    ],
    'src/hostset/host-set.ts': [['emptyHostSet', 'false → true, false → true #2', 'a level without hosts']],
    'src/hostset/list-balancer.ts': [
      ['NO_HOST', '2 → 3', 'a number that stands for no host, unlike all others before and after'],
      ['ListBalancer.update', 'dropped #4', 'a level that is skipped has no hosts'],
      ['ListBalancer.pickFrom', '> → >=', 'nothing is added'],
      ['ListBalancer.nextSource', '0 → 1', 'numbers of lists, which differ all the same'],
      ['listenerOf', 'without return', 'a listener that hears nothing'],
    ],
    'src/hostset/load-aware-localities.ts': [
      [
        'draw',
        'without return #4, not #3, > → >=, > → <, 0 → 1 #6, - → +, 1 → 0 #3, 1 → 2 #3',
        'a draw lies below the sum of all weights; without any weight none is above it',
      ],
      ['draw', '1 → 2', 'a level without localities has no host'],
      ['draw', '< → <=', 'a draw lies below the sum of all weights; past the last there is none'],
      ['draw', '< → <= #2', 'one draw of 2⁶⁴'],
    ],
    'src/hostset/locality-weights.ts': [
      ['effectiveLocalityWeight', 'without return', 'NaN, which is not above 0 either'],
      ['createLocalitySchedule', '> → >=', 'a locality without weight is due after ten trillion others'],
      ['subsetLocalityWeights', '0 → 1', 'each weight has its locality'],
    ],
    'src/hostset/priority-load.ts': [
      ['emptyPriorityState', '0 → 1 #3', 'levels compute it before they are asked'],
      ['choosePriority', '< → <= #2', 'past the end lies no load'],
      ['distribute', 'without return', '0 is added'],
      ['spreadTotalPanic', 'without return', 'there is no host to choose'],
      ['addTo', '0 → 1', 'the index is that of a level'],
    ],
    'src/hostset/request-hash.ts': [['RequestHash.lo', '0 → 1', 'it is read where it was computed']],
    'src/hostset/subset/subset-delivery.ts': [
      ['SubsetDelivery.deliverLists', '&& → || #5', 'a subset hears twice of the same callers'],
    ],
    'src/hostset/subset/subset-level.ts': [['LevelView.select', '> → >=', 'a locality without hosts either way']],
    'src/hostset/subset/subset-membership.ts': [
      ['Membership.admit', 'without return', 'levels come in their order, so that none is missing'],
      ['Membership.surplusAt', 'without return', 'without such a selector nothing is taken'],
      ['Membership.compareMoved', '< → <=', 'no two hosts were in one row'],
      ['Membership.compareMoved', '1 → 0', 'no row lies before the first'],
      ['Membership.settle', 'dropped #10', 'one that has all deliveries is passed over'],
      ['Membership.forget', 'dropped', 'a forgotten subset has no hosts that could wake it'],
      ['Membership.settle', '0 → 1, 0 → 1 #2', 'the rows of a level are set before'],
    ],
    'src/hostset/subset/subset-plan.ts': [['Planner.plansFor', 'without return #2', 'an equal plan is made']],
    'src/hostset/table-balancer.ts': [['BoundedLoad.hostCount', '0 → 1', 'every pick sets it first']],
    'src/hostset/table-cache.ts': [['TableCache.get', 'without return', 'an equal table is built']],
    'src/hostset/zone-aware.ts': [
      ['computeZoneRouting', '0 → 1 #2', 'there are two localities at least'],
      ['computeZoneRouting', '0 → 1 #4, 0 → 1 #9', 'shares of both clusters are parallel'],
      ['computeZoneRouting', 'true → false', 'what inspection shows'],
      ['chooseZone', 'without return #3', 'no hosts and callers are known for which rounding leads there'],
      ['modernGate', '0 → 1 #3', 'there are two localities at least'],
      ['forcesLocalZone', '0 → 1 #2', 'there are two localities at least'],
      ['sharesByName', '&& → ||', 'a locality is in one group, and none without healthy hosts counts'],
    ],
    'src/policy/bounded-load.ts': [
      ['chooseBounded', 'without continue', 'the hashed host is full, and no emptier than itself'],
      [
        'chooseBounded',
        '< → <= #2',
        'some host has room as long as the requests of the cluster are those of its hosts',
      ],
    ],
    'src/policy/client-subsets.ts': [['aperture', 'without return', 'of no hosts nothing is cut out']],
    'src/policy/host-shuffle.ts': [
      ['HostShuffle.next', '1 → 2', 'a number below 0 ends the walk'],
      ['HostShuffle.start', '< → <=', 'working memory is made anew, with the same content'],
    ],
    'src/policy/least-request.ts': [
      ['chooseOfSome', '1 → 0, 1 → 2', 'any index before the first comparison, which every host wins'],
      ['chooseByFullScan', '1 → 0, 1 → 2', 'any index before the first comparison, which every host wins'],
    ],
    'src/policy/random.ts': [
      ['random.choose', '1 → 0', 'an empty list has no first host either'],
      ['random.choose', '1 → 2', 'an empty list has no host before it either'],
    ],
    'src/policy/ring-hash.ts': [
      ['planRing', 'without return', 'without hosts there are no entries either way'],
      ['lowerBound', '> → >=', 'a binary search or a linear one over the last entries'],
      ['lowerBound', '< → > #5', 'what is found at once is searched for'],
    ],
    'src/policy/weighted-lists.ts': [['refreshList', '1 → 0', 'a schedule of one host, which picks it as well']],
    'src/policy/extensions/contrib-peak-ewma.ts': [['contribPeakEwma', '< → <=', 'equal costs are decided before']],
    'src/policy/extensions/peak-ewma.ts': [['PENALTY', '16 → 17', 'more than any latency either way']],
    'src/policy/extensions/power-of-d.ts': [
      ['powerOfD', '1 → 0', 'any index before the first comparison, which every host wins'],
    ],
    'src/policy/extensions/prequal.ts': [
      ['prequal', '0 → 1', 'where a ring begins'],
      ['prequal', '0 → 1 #3', 'the first removal finds nothing to remove'],
      ['hotAbove', '0 → 1 #2', 'who asks has heard of a host'],
      ['isBetter', '< → <=', 'equal ones are compared before'],
      ['usesOf', '> → >=', 'a budget over 0 is without limit, too'],
      ['usesOf', '1 → 0 #2', 'without hosts nothing is kept either way'],
    ],
    'src/policy/extensions/rendezvous.ts': [['mixed', '0 → 1, 0 → 1 #2', 'working memory']],
    'src/policy/extensions/weighted-least-connections.ts': [
      ['weightedLeastConnections', '1 → 0', 'any index before the first comparison, which every host wins'],
    ],
    'src/policy/extensions/smooth-weighted-round-robin.ts': [
      ['smoothWeightedRoundRobin', '> → >=, < → <= #2', 'at its weight it stays'],
    ],

    'src/upstream/delivery.ts': [['Delivery.retire', '0 → 1', 'nothing waits any more, and nobody asks why']],
    'src/upstream/outlier-monitor.ts': [['HostMonitor.jitterUs', '0 → 1', 'an ejection sets it']],
    'src/upstream/host-reconciler.ts': [
      ['endpointsOf', '=== → !==', 'what did not change in place is planned anew, to the same lists'],
    ],
    'src/simulation/servers/host-pools.ts': [
      ['HostPools.membersChanged', 'without !', 'how long empty pools of hosts that left are kept'],
    ],
    'src/simulation/deadlines.ts': [['Deadline.dueUs', '0 → 1', 'a line sets it']],
    'src/simulation/senders.ts': [
      ['KeySource.constructor', '<= → <', 'how many hashes of keys are remembered'],
      ['KeySource.hi', '0 → 1', 'every draw sets it first'],
      ['RequestDistributor.proxy', '0 → 1', 'every draw sets it first'],
    ],
    'src/simulation/ring-view.ts': [
      ['inspectRing', '1000000 → 1000001', 'how many events a slice has'],
      ['tableView', '0 → 1 #5', 'every host has its count'],
    ],
    'src/simulation/servers/open-requests.ts': [['OpenRequest.renew', 'dropped #8', 'what routes it sets it']],
    'src/simulation/servers/server-side.ts': [
      ['ServerSide.sendBack', '1 → 2, 1 → 0', 'an exchange answers once; who takes it again sets it'],
    ],
    'src/predict/under-load/anderson-mixing.ts': [
      ['STEP', '0.7 → 0.30000000000000004', 'in how many steps a fixed point is found'],
    ],
    'src/predict/under-load/busy-lists.ts': [
      ['BusyLists.over', '/ → *', 'lists are noted there, their shares are not read'],
    ],
    'src/predict/outcome.ts': [['agree', '> → >=', 'a difference of just 1e-12']],
    'src/predict/under-load/retry-chances.ts': [
      ['drawnChances', '> → >= #3', 'how many states are followed'],
      ['fixedChances', '< → <=', 'a chance of just 1e-15'],
    ],
    'src/predict/predict.ts': [['rank', '1 → 2', 'any number above 0']],
    'src/predict/under-load/rotation-chances.ts': [
      ['MOST_ROUNDS', '500 → 501', 'how long rounds are tried'],
      ['walk', '< → <=', 'nothing goes on after the last try'],
      ['addPoisson', 'dropped #6', 'what lies beyond ten deviations is below the rounding of doubles'],
    ],
    'src/predict/under-load/weighted-load.ts': [
      ['addFall', '>= → >, || → &&', 'where all stay, terms are 0; of no part nothing is added'],
    ],
  };
