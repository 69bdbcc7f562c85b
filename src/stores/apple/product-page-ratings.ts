// Finds the ratings on an app's product page and checks them against each other.
import { addsUp, type Histogram, type RatingReading } from "../../domain/review/snapshot.ts";
import { type AppleRatingsShape, appleRatings } from "../shapes/apple-shapes.ts";
import { type ItemOf, readItem } from "../shapes/shape.ts";
import { nodesOfKind } from "./product-page-data.ts";

const nodesMax = 1_000;
const source = "product page";

/** The node of the page's own app: other apps on the page have ratings too; some copies leave the id out. */
export function findRatingsNode(html: string, externalAppId: string): unknown {
  const nodes = nodesOfKind(html, { kind: "Ratings", countMax: nodesMax });
  const idOf = (node: unknown) => readItem(appleRatings, node).productId;
  return (
    nodes.find((found) => String(idOf(found)) === externalAppId) ??
    nodes.find((found) => idOf(found) === null)
  );
}

/** null: the page has no ratings, or none that can be right. */
export function parseProductPageRatings(html: string, externalAppId: string): RatingReading | null {
  return parseRatingsNode(findRatingsNode(html, externalAppId));
}

/** @param shape a learned one leads through a list with the node */
export function parseRatingsNode(
  node: unknown,
  shape: AppleRatingsShape = appleRatings,
): RatingReading | null {
  const ratings = readItem(shape, shape === appleRatings ? node : [node]);
  const { total, average: shown } = ratings;
  if (total === null || total < 0 || !Number.isSafeInteger(total)) return null;
  if (total === 0) return { average: 0, total, histogram: [0, 0, 0, 0, 0], source };
  if (shown === null || shown < 1 || shown > 5) return null;
  const histogram = parseCounts(ratings);
  const mean = histogram === null ? null : meanOf(histogram);
  // A reversed histogram, or one of something else, has another mean.
  if (histogram === null || mean === null || Math.abs(mean - shown) > averageSlack) {
    return { average: shown, total, histogram: null, source };
  }
  // The shown average has one decimal; counts that add up are more exact.
  const average = addsUp({ histogram, total }) ? mean : shown;
  return { average, total, histogram, source };
}

const averageSlack = 0.15;

function parseCounts(ratings: ItemOf<AppleRatingsShape>): Histogram | null {
  const { oneStar, twoStars, threeStars, fourStars, fiveStars } = ratings;
  const counts = [oneStar, twoStars, threeStars, fourStars, fiveStars].map((count) =>
    count !== null && count >= 0 ? Math.round(count) : Number.NaN,
  );
  return counts.every(Number.isSafeInteger) ? (counts as unknown as Histogram) : null;
}

export function sumOf(histogram: Histogram): number {
  return histogram.reduce((all, count) => all + count, 0);
}

/** null of nothing. */
export function meanOf(histogram: Histogram): number | null {
  const sum = sumOf(histogram);
  const stars = histogram.reduce((all, count, index) => all + count * (index + 1), 0);
  return sum === 0 ? null : stars / sum;
}
