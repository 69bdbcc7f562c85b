// Finds the ratings on an app's product page: a node of the JSON that the page carries along, looked
// for by its kind because its place in the tree moves.
import type { Histogram, RatingReading } from "../../reviews/snapshot.ts";
import { listAt, numberAt, parseJson, textAt } from "../json-value.ts";

/** null: the page tells no ratings, or none that can be right. */
export function parseProductPage(html: string, externalAppId: string): RatingReading | null {
  const tag = html.match(/<script[^>]*id="serialized-server-data"[^>]*>(.*?)<\/script>/s);
  const data = parseJson(tag?.[1] ?? "");
  const node = findRatings(data, externalAppId);
  return node === null ? null : readRatingsNode(node);
}

/** Deeper than any page; a guard against a page made to be walked forever. */
const nodesMax = 500_000;

function findRatings(data: unknown, externalAppId: string): unknown {
  const waiting: unknown[] = [data];
  for (let seen = 0; waiting.length > 0 && seen < nodesMax; seen += 1) {
    const node = waiting.pop();
    if (typeof node !== "object" || node === null) continue;
    const isRatings = textAt(node, "$kind") === "Ratings";
    // Other apps on the page have ratings too; some copies leave the id out.
    const owner = textAt(node, "productId") ?? externalAppId;
    if (isRatings && owner === externalAppId) return node;
    for (const child of Object.values(node)) waiting.push(child);
  }
  return null;
}

/** Reads a node of kind "Ratings". Counts stand five stars first, and may be floats. */
export function readRatingsNode(node: unknown): RatingReading | null {
  const total = numberAt(node, "totalNumberOfRatings");
  const shown = numberAt(node, "ratingAverage");
  if (total === null || total < 0 || !Number.isSafeInteger(total)) return null;
  if (total === 0) return { average: 0, total, histogram: [0, 0, 0, 0, 0] };
  if (shown === null || shown < 1 || shown > 5) return null;
  const histogram = readCounts(listAt(node, "ratingCounts"));
  const mean = histogram === null ? null : meanOf(histogram);
  // An order that was turned round, or a histogram of something else, shows in the mean.
  if (histogram === null || mean === null || Math.abs(mean - shown) > averageSlack) {
    return { average: shown, total, histogram: null };
  }
  const sum = histogram.reduce((all, count) => all + count, 0);
  // The shown average has one decimal; the counts, where they add up, know it better.
  const average = Math.abs(sum - total) <= total * sumSlack ? mean : shown;
  return { average, total, histogram };
}

const averageSlack = 0.15;
const sumSlack = 0.005;

function readCounts(counts: unknown[] | null): Histogram | null {
  const [five, four, three, two, one] = (counts ?? []).map((count) =>
    typeof count === "number" && count >= 0 ? Math.round(count) : Number.NaN,
  );
  if (counts?.length !== 5) return null;
  const ascending = [one, two, three, four, five] as unknown as Histogram;
  return ascending.every(Number.isSafeInteger) ? ascending : null;
}

function meanOf(histogram: Histogram): number | null {
  const sum = histogram.reduce((all, count) => all + count, 0);
  const stars = histogram.reduce((all, count, index) => all + count * (index + 1), 0);
  return sum === 0 ? null : stars / sum;
}
