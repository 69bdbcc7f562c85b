// The figures by which engines are compared.

export type Scored = { score: number; isPositive: boolean };

/** The share of pairs of a positive and a negative row in which the positive one scores higher. */
export function areaUnderCurve(rows: readonly Scored[]): number {
  const sorted = rows.toSorted((a, b) => a.score - b.score);
  const positiveCount = rows.filter(({ isPositive }) => isPositive).length;
  const negativeCount = rows.length - positiveCount;
  let rankSum = 0;
  for (let from = 0; from < sorted.length; ) {
    let to = from;
    while (to < sorted.length && sorted[to]?.score === sorted[from]?.score) to += 1;
    // Rows of one score share the ranks they take together.
    const rank = (from + to + 1) / 2;
    rankSum += rank * sorted.slice(from, to).filter(({ isPositive }) => isPositive).length;
    from = to;
  }
  const below = rankSum - (positiveCount * (positiveCount + 1)) / 2;
  return below / (positiveCount * negativeCount);
}

/** The mean over the labels of the harmonic mean of precision and recall. */
export function macroF1(rows: readonly { truth: string; told: string }[]): number {
  const labels = [...new Set(rows.map(({ truth }) => truth))];
  const each = labels.map((label) => {
    const right = rows.filter(({ truth, told }) => truth === label && told === label).length;
    const named = rows.filter(({ told }) => told === label).length;
    const meant = rows.filter(({ truth }) => truth === label).length;
    return (2 * right) / Math.max(1, named + meant);
  });
  return each.reduce((sum, one) => sum + one, 0) / Math.max(1, labels.length);
}

export function shareOf<Row>(rows: readonly Row[], isOne: (row: Row) => boolean): number {
  return rows.filter(isOne).length / Math.max(1, rows.length);
}

/** 0.9234 as `92.3`. */
export function percent(share: number): string {
  return (share * 100).toFixed(1);
}

/** 0.9234 as `.923`. */
export function thousandths(share: number): string {
  return share.toFixed(3).replace(/^0/, "");
}

export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
