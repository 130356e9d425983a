import type { Micros } from '../core/units.js';
import { microsToSeconds } from '../core/units.js';
import type { Scenario } from '../scenario/model.js';
import type { ClusterCourse, CoursePhase } from './cluster-course.js';
import type { RowOrder } from './host-columns.js';
import { rowOrder } from './host-columns.js';
import { Mixture } from './mixture.js';
import type { ClusterPrediction, PredictedPhase, Prediction } from './prediction.js';

/** Puts together what was found out, for all proxies together and for each of several. */
export function buildPrediction(scenario: Scenario, courses: readonly ClusterCourse[], endUs: Micros): Prediction {
  const clusters: Record<string, ClusterPrediction> = {};
  const proxies: Prediction['proxies'] = {};
  const several = scenario.proxies.reduce((sum, { count }) => sum + count, 0) > 1;
  const orders = new Map(courses.map((course) => [course, rowOrder(course.discovery.rows)]));
  const build = (course: ClusterCourse, pick: (phase: CoursePhase) => Mixture): ClusterPrediction =>
    clusterPrediction(course, endUs, orders.get(course) ?? rowOrder([]), pick);
  for (const course of courses) clusters[course.cluster.name] = build(course, (phase) => phase.total);
  if (several) {
    scenario.proxies.forEach((spec, index) => {
      const own: Record<string, ClusterPrediction> = {};
      for (const course of courses) {
        own[course.cluster.name] = build(course, (phase) => phase.byProxy[index] ?? phase.total);
      }
      proxies[spec.name] = { clusters: own };
    });
  }
  return {
    scenario: scenario.name,
    version: scenario.proxies[0]?.version ?? '1.17',
    duration_s: microsToSeconds(endUs),
    clusters,
    proxies,
    notes: [...scenario.notes],
  };
}

function clusterPrediction(
  course: ClusterCourse,
  endUs: Micros,
  order: RowOrder,
  pick: (phase: CoursePhase) => Mixture,
): ClusterPrediction {
  const whole = new Mixture();
  const phases = course.phases.map((phase, index): PredictedPhase => {
    const mixture = pick(phase);
    whole.addAll(mixture);
    const head = {
      from_s: microsToSeconds(phase.fromUs),
      to_s: microsToSeconds(Math.max(course.phases[index + 1]?.fromUs ?? endUs, phase.fromUs)),
      cause: phase.causes.join('; '),
      reasons: [...phase.reasons],
    };
    return mixture.split(head, order, phase.states);
  });
  // Not copied: the hosts of a split are made when they are asked for.
  return Object.assign(whole.split({ policy: course.cluster.lbPolicy }, order, course.statesNow()), { phases });
}
