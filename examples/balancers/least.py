# Of two hosts drawn at random the one with fewer requests:  lbsim laws --command 'python3 examples/balancers/least.py'
import json
import sys


def answer(question):
    if question["do"] == "begin":
        return {"name": "LEAST_OF_TWO", "kind": "list", "choices": 2}
    if question["do"] == "hosts":
        return {}
    active, random = question["active"], question["random"]
    one, other = random[0] % len(active), random[1] % len(active)
    return {"host": other if active[other] < active[one] else one}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
