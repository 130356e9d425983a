/** Steps that are remembered. */
const DEPTH = 6;

type Vectors = readonly Float64Array[];

interface Step {
  readonly at: Vectors;
  /** How far the map led from there. */
  readonly residual: Vectors;
}

/**
 * Finds a fixed point x = g(x) in fewer steps than x, g(x), g(g(x)) … take, which may not get there at all: the next x
 * is the mixture of the last few that would be the fixed point if g were linear. D. G. Anderson, "Iterative procedures
 * for nonlinear integral equations", J. ACM 1965.
 */
export class AndersonMixing {
  private readonly steps: Step[] = [];

  /** @param after the image of `at`; vectors are padded with zeros. */
  next(at: Vectors, after: Vectors): Float64Array[] {
    const { steps } = this;
    steps.push({ at, residual: after.map((values, index) => added(values, at[index] as Float64Array, -1)) });
    if (steps.length > DEPTH) steps.shift();
    const weights = this.weights();
    return after.map((_, vector) =>
      steps.reduce((sum, { at: own, residual }, index) => {
        const weight = weights[index] as number;
        const along = added(sum, own[vector] as Float64Array, weight);
        return added(along, residual[vector] as Float64Array, weight * STEP);
      }, new Float64Array(0)),
    );
  }

  /** Weights that add up to 1 and make the mixture of residuals smallest. */
  private weights(): number[] {
    const { steps } = this;
    const size = steps.length;
    const matrix = steps.map((a) => steps.map((b) => product(a.residual, b.residual)));
    const scale = matrix.reduce((most, row, index) => Math.max(most, row[index] as number), 0);
    for (const [index, row] of matrix.entries()) row[index] = (row[index] as number) + 1e-12 * scale;
    const solved = solve(matrix, new Array<number>(size).fill(1));
    const sum = solved.reduce((all, value) => all + value, 0);
    return solved.map((value) => value / sum);
  }
}

/** Damping: the part of a step that is taken. */
const STEP = 0.7;

function added(a: Float64Array, b: Float64Array, weight: number): Float64Array<ArrayBuffer> {
  const sum = new Float64Array(Math.max(a.length, b.length));
  sum.set(a);
  for (let k = 0; k < b.length; k++) sum[k] = (sum[k] as number) + weight * (b[k] as number);
  return sum;
}

const product = (a: Vectors, b: Vectors): number =>
  a.reduce((sum, values, index) => {
    const other = b[index] as Float64Array;
    return sum + values.reduce((own, value, k) => own + value * (other[k] ?? 0), 0);
  }, 0);

/** Gauss with the largest pivot. */
function solve(matrix: number[][], right: number[]): number[] {
  const size = right.length;
  const rows = matrix.map((row, index) => [...row, right[index] as number]);
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let row = column + 1; row < size; row++)
      if (Math.abs(rows[row]?.[column] ?? 0) > Math.abs(rows[pivot]?.[column] ?? 0)) pivot = row;
    [rows[column], rows[pivot]] = [rows[pivot] as number[], rows[column] as number[]];
    const head = rows[column] as number[];
    for (let row = 0; row < size; row++) {
      const own = rows[row] as number[];
      if (row === column || head[column] === 0) continue;
      const factor = (own[column] as number) / (head[column] as number);
      for (let k = column; k <= size; k++) own[k] = (own[k] as number) - factor * (head[k] as number);
    }
  }
  return rows.map((row, index) => (row[index] === 0 ? 0 : (row[size] as number) / (row[index] as number)));
}
