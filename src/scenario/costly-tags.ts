import type { Path } from '../config/reader.js';
import type { ProblemRule } from '../core/problem.js';
import { linearRegexProblem } from '../core/regex/linear-regex.js';
import type { ScenarioParts } from './scenario-parts.js';

/**
 * The same without tags of statistics whose expressions cannot be run in linear time: without statistics they are not
 * needed.
 */
export function withoutCostlyTags(
  parts: ScenarioParts,
  report: (path: Path, rule: ProblemRule, message: string) => void,
): ScenarioParts {
  const proxies = parts.proxies.map((proxy, index) => {
    const { statsConfig } = proxy ?? {};
    if (proxy === undefined || statsConfig === undefined) return proxy;
    const statsTags = statsConfig.statsTags.filter(({ tagName, regex }, at) => {
      const problem = regex === undefined ? undefined : linearRegexProblem(regex, 'ecmascript');
      if (problem === undefined) return true;
      const owner = parts.kind === 'bootstrap' ? [] : parts.proxyPath(index);
      const path = [...owner, 'stats_config', 'stats_tags', at, 'regex'];
      report(
        path,
        'costly-tag',
        `the tag ${tagName} is left out: ${problem}. It matters to statistics that are sent only`,
      );
      return false;
    });
    return { ...proxy, statsConfig: { ...statsConfig, statsTags } };
  });
  return { ...parts, proxies };
}
