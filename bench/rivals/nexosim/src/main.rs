//! The bare queueing model in NeXosim, on one thread: reads `simulate REQUESTS`, answers with CPU nanoseconds and the mean time
//! of a request in ms. The balancer and each host are models of their own, as NeXosim has it: what one knows of another it was sent.
use std::collections::VecDeque;
use std::io::BufRead;
use std::time::Duration;

use nexosim::model::{Context, Model, schedulable};
use nexosim::ports::{EventSinkReader, Output, SinkState, event_slot};
use nexosim::simulation::{Mailbox, SimInit};
use nexosim::time::MonotonicTime;
use serde::{Deserialize, Serialize};

const HOSTS: usize = 100;
const GAP_S: f64 = 0.0001;
const SERVICE_S: f64 = 0.008;

/// splitmix64
#[derive(Serialize, Deserialize)]
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    fn host(&mut self) -> usize {
        (self.next() % HOSTS as u64) as usize
    }

    /// Times are whole nanoseconds, and an event is scheduled in the future.
    fn exponential(&mut self, mean_s: f64) -> Duration {
        let part = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        Duration::from_nanos((-(1.0 - part).ln() * mean_s * 1e9) as u64 + 1)
    }
}

#[derive(Serialize, Deserialize)]
struct Balancer {
    hosts: Vec<Output<()>>,
    mean_ms: Output<f64>,
    active: Vec<usize>,
    chance: Chance,
    wanted: usize,
    sent: usize,
    done: usize,
    total_s: f64,
}

#[Model]
impl Balancer {
    #[nexosim(init)]
    async fn init(&mut self, cx: &Context<Self>) {
        self.next(cx);
    }

    fn next(&mut self, cx: &Context<Self>) {
        let gap = self.chance.exponential(GAP_S);
        cx.schedule_event(gap, schedulable!(Self::arrive), ()).unwrap();
    }

    #[nexosim(schedulable)]
    async fn arrive(&mut self, _: (), cx: &Context<Self>) {
        let (one, other) = (self.chance.host(), self.chance.host());
        let host = if self.active[other] < self.active[one] { other } else { one };
        self.active[host] += 1;
        self.hosts[host].send(()).await;
        self.sent += 1;
        if self.sent < self.wanted {
            self.next(cx);
        }
    }

    async fn answered(&mut self, (host, took_s): (usize, f64)) {
        self.active[host] -= 1;
        self.total_s += took_s;
        self.done += 1;
        if self.done == self.wanted {
            self.mean_ms.send(1000.0 * self.total_s / self.done as f64).await;
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Host {
    index: usize,
    answer: Output<(usize, f64)>,
    waiting: VecDeque<MonotonicTime>,
    chance: Chance,
}

#[Model]
impl Host {
    async fn request(&mut self, _: (), cx: &Context<Self>) {
        self.waiting.push_back(cx.time());
        if self.waiting.len() == 1 {
            self.serve(cx);
        }
    }

    fn serve(&mut self, cx: &Context<Self>) {
        let service = self.chance.exponential(SERVICE_S);
        cx.schedule_event(service, schedulable!(Self::served), ()).unwrap();
    }

    #[nexosim(schedulable)]
    async fn served(&mut self, _: (), cx: &Context<Self>) {
        if let Some(arrived) = self.waiting.pop_front() {
            let took_s = cx.time().duration_since(arrived).as_secs_f64();
            self.answer.send((self.index, took_s)).await;
        }
        if !self.waiting.is_empty() {
            self.serve(cx);
        }
    }
}

fn simulate(requests: usize) -> f64 {
    let balancer_mailbox = Mailbox::new();
    let mut balancer = Balancer {
        hosts: Vec::new(),
        mean_ms: Output::default(),
        active: vec![0; HOSTS],
        chance: Chance(1),
        wanted: requests,
        sent: 0,
        done: 0,
        total_s: 0.0,
    };
    let mut bench = SimInit::with_num_threads(1);
    for index in 0..HOSTS {
        let mut host = Host { index, answer: Output::default(), waiting: VecDeque::new(), chance: Chance(1000 + index as u64) };
        let mailbox = Mailbox::new();
        let mut output = Output::default();
        output.connect(Host::request, &mailbox);
        host.answer.connect(Balancer::answered, &balancer_mailbox);
        balancer.hosts.push(output);
        bench = bench.add_model(host, mailbox, "host");
    }
    let (sink, mut mean_ms) = event_slot(SinkState::Enabled);
    balancer.mean_ms.connect_sink(sink);
    let mut simulation = bench.add_model(balancer, balancer_mailbox, "balancer").init(MonotonicTime::EPOCH).unwrap();
    simulation.run().unwrap();
    mean_ms.try_read().unwrap_or(f64::NAN)
}

fn cpu_nanoseconds() -> i64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // Its one argument is a place that outlives the call.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}

fn main() {
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let mut words = line.split(' ');
        match (words.next(), words.next().and_then(|count| count.parse().ok())) {
            (Some("simulate"), Some(requests)) => {
                let begin = cpu_nanoseconds();
                let mean = simulate(requests);
                println!("{} {mean}", cpu_nanoseconds() - begin);
            }
            _ => println!("-"),
        }
    }
}
