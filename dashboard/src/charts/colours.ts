// The colours of the charts, as CSS variables that both themes set.

export const sentimentColours = {
  positive: "var(--chart-positive)",
  neutral: "var(--chart-neutral)",
  mixed: "var(--chart-mixed)",
  negative: "var(--chart-negative)",
} as const;
