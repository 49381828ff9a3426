/** Throughput and requests in flight of one trial. */
interface UslPoint {
  readonly inFlight: number;
  readonly perSecond: number;
}

/** The universal scalability law: throughput = λN / (1 + σ(N − 1) + κN(N − 1)). */
export interface UslFit {
  /** Requests per second with one request in flight at a time. */
  readonly lambda: number;
  /** Contention: the share of the work that must wait for its turn. */
  readonly sigma: number;
  /** Coherence: the cost of each pair in flight to the others. */
  readonly kappa: number;
  /** Requests in flight at which throughput is highest; null if there is no peak. */
  readonly peakInFlight: number | null;
  /** The highest throughput that the law predicts; null if there is no peak. */
  readonly peakPerSecond: number | null;
  /** Share of the variation that the law explains, 0 to 1. */
  readonly r2: number;
}

/** Fits the law by least squares in its linear form; null if there are too few different points. */
export function fitUsl(points: readonly UslPoint[]): UslFit | null {
  const known = points.filter(({ inFlight, perSecond }) => inFlight > 0 && perSecond > 0);
  if (new Set(known.map(({ inFlight }) => inFlight.toPrecision(2))).size < 4) return null;
  // N / X = 1/λ + (σ/λ)(N − 1) + (κ/λ)N(N − 1), each of the three at least 0.
  for (const used of [[0, 1, 2], [0, 1], [0, 2], [0]]) {
    const solved = leastSquares(known, used);
    if (solved?.every((value) => value >= 0) !== true) continue;
    const [base = 0, contention = 0, coherence = 0] = [0, 1, 2].map(
      (term) => solved[used.indexOf(term)] ?? 0,
    );
    if (base > 0) return fitOf(known, base, [contention / base, coherence / base]);
  }
  return null;
}

function fitOf(points: readonly UslPoint[], base: number, [sigma, kappa]: readonly [number, number]): UslFit {
  const lambda = 1 / base;
  const at = (n: number) => (lambda * n) / (1 + sigma * (n - 1) + kappa * n * (n - 1));
  const peakInFlight = kappa > 0 && sigma < 1 ? Math.sqrt((1 - sigma) / kappa) : null;
  const ceiling = sigma > 0 ? lambda / sigma : null;
  const mean = points.reduce((sum, { perSecond }) => sum + perSecond, 0) / points.length;
  const squares = (of: (point: UslPoint) => number) => points.reduce((sum, point) => sum + of(point) ** 2, 0);
  const total = squares(({ perSecond }) => perSecond - mean);
  const rest = squares(({ inFlight, perSecond }) => perSecond - at(inFlight));
  return {
    ...{ lambda, sigma, kappa, peakInFlight },
    peakPerSecond: peakInFlight === null ? ceiling : at(peakInFlight),
    r2: total === 0 ? 0 : Math.max(0, 1 - rest / total),
  };
}

/** The best fitting weights of these terms; relative errors count, so that small trials matter. Null if they cannot be separated. */
function leastSquares(points: readonly UslPoint[], used: readonly number[]): readonly number[] | null {
  const terms = [() => 1, (n: number) => n - 1, (n: number) => n * (n - 1)];
  const rows = points.map(({ inFlight, perSecond }) => {
    const y = inFlight / perSecond;
    return used.map((term) => (terms[term]?.(inFlight) ?? 0) / y);
  });
  const matrix = used.map((_one, i) => [
    ...used.map((_other, j) => rows.reduce((sum, row) => sum + (row[i] ?? 0) * (row[j] ?? 0), 0)),
    rows.reduce((sum, row) => sum + (row[i] ?? 0), 0),
  ]);
  return solve(matrix);
}

/** Gaussian elimination with the largest pivot. */
function solve(matrix: readonly (readonly number[])[]): readonly number[] | null {
  const rows = matrix.map((row) => [...row]);
  const size = rows.length;
  for (let column = 0; column < size; column += 1) {
    const order = rows.map((row, index) => [Math.abs(row[column] ?? 0), index] as const).slice(column);
    const [largest, pivot] = order.reduce((best, one) => (one[0] > best[0] ? one : best));
    if (!(largest > 1e-12)) return null;
    [rows[column], rows[pivot]] = [rows[pivot] ?? [], rows[column] ?? []];
    for (let other = 0; other < size; other += 1) {
      const [row, from] = [rows[other] ?? [], rows[column] ?? []];
      const factor = (row[column] ?? 0) / (from[column] ?? 1);
      if (other !== column)
        for (let at = column; at <= size; at += 1) row[at] = (row[at] ?? 0) - factor * (from[at] ?? 0);
    }
  }
  return rows.map((row, index) => (row[size] ?? 0) / (row[index] ?? 1));
}
