// The bare queueing model in Go: reads `simulate REQUESTS`, answers with CPU nanoseconds and the mean time of a request in ms.
package main

import (
	"bufio"
	"container/heap"
	"fmt"
	"math/rand"
	"os"
	"syscall"
)

type event struct {
	at   float64
	host int // -1: an arrival
}

type queue []event

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].at < q[j].at }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(event)) }
func (q *queue) Pop() any {
	old := *q
	last := old[len(old)-1]
	*q = old[:len(old)-1]
	return last
}

func simulate(requests int) float64 {
	const hosts, gap, service = 100, 0.1, 8.0
	var fleet [hosts][]float64
	var due queue
	var now, total float64
	sent := 0
	heap.Push(&due, event{rand.ExpFloat64() * gap, -1})
	for len(due) > 0 {
		next := heap.Pop(&due).(event)
		now = next.at
		if next.host >= 0 {
			waiting := fleet[next.host]
			total += now - waiting[0]
			fleet[next.host] = waiting[1:]
			if len(waiting) > 1 {
				heap.Push(&due, event{now + rand.ExpFloat64()*service, next.host})
			}
			continue
		}
		host, other := rand.Intn(hosts), rand.Intn(hosts)
		if len(fleet[other]) < len(fleet[host]) {
			host = other
		}
		fleet[host] = append(fleet[host], now)
		if len(fleet[host]) == 1 {
			heap.Push(&due, event{now + rand.ExpFloat64()*service, host})
		}
		if sent++; sent < requests {
			heap.Push(&due, event{now + rand.ExpFloat64()*gap, -1})
		}
	}
	return total / float64(requests)
}

func cpuNanoseconds() int64 {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var job string
		var requests int
		fmt.Sscan(lines.Text(), &job, &requests)
		if job != "simulate" {
			fmt.Println("-")
			continue
		}
		begin := cpuNanoseconds()
		mean := simulate(requests)
		fmt.Println(cpuNanoseconds()-begin, mean)
	}
}
