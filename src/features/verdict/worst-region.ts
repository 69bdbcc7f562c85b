// The one storefront or language in which the reviews of a release are worse than its own past: an average over all of them
// hides it. By an exact test with the number of regions as its correction: at most 1 % of harmless releases name one.
import { riseProbability } from "../../analysis/exact-test.ts";
import { reviewRegionInText } from "../../domain/store/region-name.ts";
import type { StoreId } from "../../domain/store/store-id.ts";
import { groupBy } from "../../lib/group-by.ts";
import { markOf } from "./judge/questions.ts";
import type { WorstRegion } from "./judge/verdict-words.ts";
import type { Writing } from "./release-reviews.ts";

const reviewsMin = 5;
const pastMin = 20;
const falseMax = 0.01;

/** null where no region stands out, or there is only one. */
export function findWorstRegion(of: {
  store: StoreId;
  question: string;
  read: readonly Writing[];
  past: readonly Writing[];
  /** The rise that counts. */
  worseBy: number;
}): WorstRegion | null {
  const { store, question, read, past, worseBy } = of;
  const [now, before] = [
    groupBy(read, ({ region }) => region),
    groupBy(past, ({ region }) => region),
  ];
  if (now.size < 2) return null;
  const countOf = (writings: readonly Writing[]): number =>
    writings.filter(({ listed }) => (listed & markOf(question)) !== 0).length;
  const regions = [...now].map(([region, own]) => {
    const earlier = before.get(region) ?? [];
    const [count, total] = [countOf(own), own.length];
    const [countBefore, totalBefore] = [countOf(earlier), earlier.length];
    return { region, count, total, countBefore, totalBefore };
  });
  const [worst] = regions
    .filter(({ total, totalBefore }) => total >= reviewsMin && totalBefore >= pastMin)
    .filter((one) => one.count / one.total - one.countBefore / one.totalBefore >= worseBy)
    .map((one) => ({ ...one, probability: riseProbability(one) }))
    .filter(({ probability }) => probability <= falseMax / regions.length)
    .sort((one, other) => one.probability - other.probability);
  if (!worst) return null;
  const { region, probability: _, ...counts } = worst;
  return { ...counts, question, name: reviewRegionInText(region, store) };
}
