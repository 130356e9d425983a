import type { Micros } from '../core/units.js';
import { microsToSeconds } from '../core/units.js';
import { localityKey } from '../host/host.js';
import type { Scenario } from '../scenario/model.js';
import type { ClusterCourse, CoursePhase } from './cluster-course.js';
import type { Row } from './discovery.js';
import { Mixture, RowStates } from './mixture.js';
import type { ClusterPrediction, PredictedPhase, Prediction } from './prediction.js';

/** Puts together what was found out, for all proxies together and for each of several. */
export function buildPrediction(scenario: Scenario, courses: readonly ClusterCourse[], endUs: Micros): Prediction {
  const clusters: Record<string, ClusterPrediction> = {};
  const proxies: Prediction['proxies'] = {};
  const several = scenario.proxies.reduce((sum, { count }) => sum + count, 0) > 1;
  const orders = new Map(courses.map((course) => [course, reportOrder(course.discovery.rows)]));
  const build = (course: ClusterCourse, pick: (phase: CoursePhase) => Mixture): ClusterPrediction =>
    clusterPrediction(course, endUs, orders.get(course) ?? [], pick);
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
  order: readonly Row[],
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
    };
    return mixture.split(head, order, phase.states);
  });
  return { ...whole.split({ policy: course.cluster.lbPolicy }, order, rowStates(course)), phases };
}

/** By priority, locality, address; addresses in the order in which people count. */
function reportOrder(rows: readonly Row[]): readonly Row[] {
  const { compare } = new Intl.Collator('en', { numeric: true });
  const places = new Map<Row['locality'], string>();
  for (const { locality } of rows) if (!places.has(locality)) places.set(locality, localityKey(locality));
  const placeOf = (row: Row): string => places.get(row.locality) ?? '';
  return [...rows].sort(
    (a, b) =>
      a.priority - b.priority ||
      (a.locality === b.locality ? 0 : compare(placeOf(a), placeOf(b))) ||
      compare(a.address, b.address) ||
      a.index - b.index,
  );
}
/** How rows stand now. */
export function rowStates({ discovery }: ClusterCourse): RowStates {
  return new RowStates(discovery.rows.length, discovery.levels);
}
