"""The bare queueing model in SimPy: reads `simulate REQUESTS`, answers with CPU nanoseconds and the mean time of a request in ms."""
import random
import sys
import time

import simpy


def simulate(requests, hosts=100, gap=0.1, service=8.0):
    env = simpy.Environment()
    fleet = [simpy.Resource(env, capacity=1) for _ in range(hosts)]
    total = [0.0]

    def active(host):
        return host.count + len(host.queue)

    def request(host):
        arrived = env.now
        with host.request() as turn:
            yield turn
            yield env.timeout(random.expovariate(1 / service))
        total[0] += env.now - arrived

    def arrivals():
        for _ in range(requests):
            yield env.timeout(random.expovariate(1 / gap))
            one, other = random.choice(fleet), random.choice(fleet)
            env.process(request(other if active(other) < active(one) else one))

    env.process(arrivals())
    env.run()
    return total[0] / requests


for line in sys.stdin:
    job, count = line.split()[:2]
    if job != "simulate":
        print("-", flush=True)
        continue
    begin = time.process_time_ns()
    mean = simulate(int(count))
    print(time.process_time_ns() - begin, mean, flush=True)
