// Metrics by which classifiers are compared, and their formatting.

export type Scored = { score: number; isPositive: boolean };

/**
 * Area under the ROC curve: the share of pairs of a positive and a negative row in which the positive one
 * scores higher (Mann-Whitney U, ties count half).
 */
export function areaUnderCurve(rows: readonly Scored[]): number {
  const sorted = rows.toSorted((a, b) => a.score - b.score);
  const positiveCount = rows.filter(({ isPositive }) => isPositive).length;
  const negativeCount = rows.length - positiveCount;
  let rankSum = 0;
  for (let from = 0; from < sorted.length; ) {
    let to = from;
    while (to < sorted.length && sorted[to]?.score === sorted[from]?.score) to += 1;
    // Rows with the same score share their mean rank.
    const rank = (from + to + 1) / 2;
    rankSum += rank * sorted.slice(from, to).filter(({ isPositive }) => isPositive).length;
    from = to;
  }
  const pairCount = rankSum - (positiveCount * (positiveCount + 1)) / 2;
  return pairCount / (positiveCount * negativeCount);
}

/** The mean over all labels of F1, the harmonic mean of precision and recall. */
export function macroF1(rows: readonly { truth: string; predicted: string }[]): number {
  const labels = [...new Set(rows.map(({ truth }) => truth))];
  const scores = labels.map((label) => {
    const correctCount = rows.filter(
      ({ truth, predicted }) => truth === label && predicted === label,
    ).length;
    const predictedCount = rows.filter(({ predicted }) => predicted === label).length;
    const actualCount = rows.filter(({ truth }) => truth === label).length;
    return (2 * correctCount) / Math.max(1, predictedCount + actualCount);
  });
  return scores.reduce((sum, score) => sum + score, 0) / Math.max(1, labels.length);
}

export function shareOf<Row>(rows: readonly Row[], matches: (row: Row) => boolean): number {
  return rows.filter(matches).length / Math.max(1, rows.length);
}

/** 0.9234 as `92.3`. */
export function formatPercent(share: number): string {
  return (share * 100).toFixed(1);
}

/** 0.9234 as `.923`. */
export function formatThousandths(share: number): string {
  return share.toFixed(3).replace(/^0/, "");
}

export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
