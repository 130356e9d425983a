// Of all hosts the one whose score with the hash is highest:  go build -o rendezvous rendezvous.go; lbsim laws --command ./rendezvous
// Source: Thaler and Ravishankar, "A name-based mapping scheme for rendezvous", 1996; weights as Schindelhauer and Schomaker, 2005.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"strconv"
)

type host struct {
	Address string
	Weight  float64
}

type question struct {
	Do      string
	List    int
	Hosts   []host
	Request struct {
		Hash    string
		Attempt int
	}
}

// A number above 0 and below 1 that looks random, the same for the same host and hash.
func uniform(address string, hash uint64) float64 {
	h := fnv.New64a()
	h.Write([]byte(address))
	x := h.Sum64() ^ hash
	for range 2 {
		x = (x ^ x>>33) * 0xff51afd7ed558ccd
	}
	return (float64((x^x>>33)>>11) + 0.5) / (1 << 53)
}

// A further attempt goes to the next best host.
func choose(hosts []host, hash uint64, attempt int) int {
	left := map[int]float64{}
	for i, one := range hosts {
		left[i] = -one.Weight / math.Log(uniform(one.Address, hash))
	}
	best := -1
	for range attempt%len(hosts) + 1 {
		delete(left, best)
		best = -1
		for i := range hosts {
			if score, ok := left[i]; ok && (best < 0 || score > left[best]) {
				best = i
			}
		}
	}
	return best
}

func main() {
	lists := map[int][]host{}
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var q question
		json.Unmarshal(line, &q)
		switch q.Do {
		case "begin":
			lists = map[int][]host{}
			fmt.Println(`{"name": "RENDEZVOUS", "kind": "table", "ignores_order": true}`)
		case "hosts":
			lists[q.List] = q.Hosts
			fmt.Println(`{}`)
		case "choose":
			hash, _ := strconv.ParseUint(q.Request.Hash, 10, 64)
			fmt.Printf("{\"host\": %d}\n", choose(lists[q.List], hash, q.Request.Attempt))
		}
	}
}
