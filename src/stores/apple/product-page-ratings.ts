// Finds the ratings on an app's product page and checks them against each other.
import { addsUp, type Histogram, type RatingReading } from "../../domain/snapshot.ts";
import { appleRatings } from "../shapes/apple-shapes.ts";
import { readItem } from "../shapes/shape.ts";
import { nodesOfKind } from "./product-page-data.ts";

const nodesMax = 1_000;
const source = "product page";

/** null: the page has no ratings, or none that can be right. */
export function parseProductPageRatings(html: string, externalAppId: string): RatingReading | null {
  // Other apps on the page have ratings too; some copies leave the id out.
  const nodes = nodesOfKind(html, { kind: "Ratings", countMax: nodesMax });
  const idOf = (node: unknown) => readItem(appleRatings, node).productId;
  const node =
    nodes.find((found) => String(idOf(found)) === externalAppId) ??
    nodes.find((found) => idOf(found) === null);
  return node === undefined ? null : parseRatingsNode(node);
}

/** Parses a node of kind "Ratings". Its counts begin with five stars, and may be fractions. */
export function parseRatingsNode(node: unknown): RatingReading | null {
  const { total, average: shown, counts } = readItem(appleRatings, node);
  if (total === null || total < 0 || !Number.isSafeInteger(total)) return null;
  if (total === 0) return { average: 0, total, histogram: [0, 0, 0, 0, 0], source };
  if (shown === null || shown < 1 || shown > 5) return null;
  const histogram = parseCounts(counts);
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

function parseCounts(counts: unknown[] | null): Histogram | null {
  const [five, four, three, two, one] = (counts ?? []).map((count) =>
    typeof count === "number" && count >= 0 ? Math.round(count) : Number.NaN,
  );
  if (counts?.length !== 5) return null;
  const ascending = [one, two, three, four, five] as unknown as Histogram;
  return ascending.every(Number.isSafeInteger) ? ascending : null;
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
