/** What a strict reader of Prometheus' text format 0.0.4 finds wrong, line by line; empty where all is right. */
export function expositionProblems(text: string): string[] {
  const problems: string[] = [];
  if (text !== '' && !text.endsWith('\n')) problems.push('the last line has no end');
  const types = new Map<string, string>();
  const seen = new Set<string>();
  /** Buckets by histogram and labels without `le`. */
  const histograms = new Map<string, { bounds: number[]; counts: number[]; sum?: number; count?: number }>();
  let current: string | undefined;
  for (const [index, line] of text.split('\n').slice(0, -1).entries()) {
    const fail = (what: string): void => void problems.push(`${index + 1}: ${what}: ${line}`);
    const comment = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line);
    if (line.startsWith('#')) {
      const [, word, name = '', rest = ''] = comment ?? [];
      if (comment === null || !isMetricName(name)) fail('no comment that is known');
      if (word !== 'TYPE') continue;
      if (!['counter', 'gauge', 'histogram', 'summary', 'untyped'].includes(rest)) fail('unknown type');
      if (types.has(name)) fail('second TYPE of a metric');
      types.set(name, rest);
      current = name;
      continue;
    }
    const sample = readSample(line);
    if (typeof sample === 'string') {
      fail(sample);
      continue;
    }
    const { name, labels, value } = sample;
    const type = current === undefined ? undefined : types.get(current);
    const suffix = type === 'histogram' ? name.slice((current ?? '').length) : '';
    if (current === undefined || current + suffix !== name) fail('not below the TYPE of its metric');
    if (type === 'histogram' && !['_bucket', '_sum', '_count'].includes(suffix)) fail('no series of a histogram');
    const key = (list: readonly (readonly [string, string])[]): string => JSON.stringify([...list].sort());
    if (seen.has(name + key(labels))) fail('the same series twice');
    seen.add(name + key(labels));
    if (new Set(labels.map(([label]) => label)).size < labels.length) fail('a label twice');
    if (labels.some(([label]) => !/^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$/.test(label))) fail('no label name');
    if (type === 'counter' && !(value >= 0)) fail('a counter below 0');
    if (type !== 'histogram') continue;
    const others = labels.filter(([label]) => label !== 'le');
    const id = `${current ?? ''}${key(others)}`;
    const histogram = histograms.get(id) ?? { bounds: [], counts: [] };
    histograms.set(id, histogram);
    if (suffix === '_bucket') {
      const bound = labels.find(([label]) => label === 'le')?.[1];
      if (bound === undefined) fail('a bucket without le');
      histogram.bounds.push(bound === '+Inf' ? Infinity : Number(bound));
      histogram.counts.push(value);
    } else if (suffix === '_sum') histogram.sum = value;
    else histogram.count = value;
  }
  for (const [id, { bounds, counts, sum, count }] of histograms) {
    const rises = (values: readonly number[], strictly: boolean): boolean =>
      values.every((value, at) => at === 0 || value > (values[at - 1] ?? 0) || (!strictly && value === values[at - 1]));
    if (!rises(bounds, true)) problems.push(`${id}: bounds do not rise`);
    if (!rises(counts, false)) problems.push(`${id}: buckets are not cumulative`);
    if (bounds.at(-1) !== Infinity || counts.at(-1) !== count)
      problems.push(`${id}: the last bucket does not hold all`);
    if (sum === undefined || count === undefined) problems.push(`${id}: no sum or no count`);
  }
  return problems;
}

interface Sample {
  readonly name: string;
  readonly labels: readonly (readonly [string, string])[];
  readonly value: number;
}

function isMetricName(name: string): boolean {
  return /^[a-zA-Z_:][a-zA-Z0-9_:]*$/.test(name);
}

function readSample(line: string): Sample | string {
  const name = /^[a-zA-Z_:][a-zA-Z0-9_:]*/.exec(line)?.[0];
  if (name === undefined) return 'no metric name';
  let at = name.length;
  const labels: [string, string][] = [];
  if (line[at] === '{') {
    at++;
    while (line[at] !== '}') {
      const label = /^([^="{},]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"/.exec(line.slice(at));
      if (label === null) return 'no label';
      labels.push([label[1] ?? '', label[2] ?? '']);
      at += label[0].length;
      if (line[at] === ',') at++;
      else if (line[at] !== '}') return 'no end of labels';
    }
    at++;
  }
  const value = /^ (\+Inf|-Inf|NaN|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?: \d+)?$/.exec(line.slice(at))?.[1];
  if (value === undefined) return 'no value';
  return { name, labels, value: value === '+Inf' ? Infinity : Number(value) };
}
