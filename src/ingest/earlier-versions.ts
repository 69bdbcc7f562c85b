// Puts versions of reviews that arrive late, such as those of an older export, among the stored ones: each once, and in
// the order of their dates.
import type { EarlierVersion, Review, ReviewChange, ReviewVersion } from "../domain/review.ts";
import { groupBy } from "../lib/group-by.ts";
import type { ReviewRepository } from "./ingest-batch.ts";

/** @returns the changes, and all versions of each review that gets one of those that its change brought */
export async function placeEarlierVersions(
  tx: Pick<ReviewRepository, "loadReviewVersions">,
  { listingId, changes, now }: { listingId: string; changes: readonly ReviewChange[]; now: Date },
): Promise<{ changes: ReviewChange[]; versions: (ReviewVersion & { reviewId: string })[] }> {
  const reviewIds = changes.flatMap(({ kind, after, versions = [] }) =>
    kind !== "new" && versions.length > 0 ? [after.id] : [],
  );
  const stored = reviewIds.length > 0 ? await tx.loadReviewVersions({ listingId, reviewIds }) : [];
  const storedOf = groupBy(stored, ({ reviewId }) => reviewId);
  const placed: (ReviewVersion & { reviewId: string })[] = [];
  const settled = changes.map((change): ReviewChange => {
    const { versions: found = [], ...bare } = change;
    if (found.length === 0) return change;
    const { kind, before, after } = change;
    const known: readonly EarlierVersion[] = storedOf.get(after.id) ?? [];
    const replaced = kind === "edited" ? [...known, { ...before, replacedAt: now }] : known;
    const all =
      kind === "new"
        ? found
        : found.reduce((list, one) => place(list, { one, current: after }), replaced);
    if (all.length === replaced.length) return bare;
    placed.push(...all.map((one, index) => numberVersion(one, { index, all, current: after })));
    if (kind === "new" || kind === "edited") return change;
    // It was edited when its present version was written.
    const edited = { ...after, editedAt: after.editedAt ?? after.date };
    return { kind: "metadata_changed", before, after: edited, versions: found };
  });
  return { changes: settled, versions: placed };
}

function numberVersion(
  { rating, title, text, version, date, replacedAt }: EarlierVersion,
  at: { index: number; all: readonly EarlierVersion[]; current: Review },
): ReviewVersion & { reviewId: string } {
  const { index, all, current } = at;
  const next = all[index + 1] ?? current;
  const content = { rating, title, text, version, date, replacedAt: replacedAt ?? next.date };
  return { reviewId: current.id, number: index + 1, ...content };
}

/** Skips a version that says the same as the one before or after it. */
function place(
  list: readonly EarlierVersion[],
  { one, current }: { one: EarlierVersion; current: Review },
): readonly EarlierVersion[] {
  const later = list.findIndex(({ date }) => date > one.date);
  const at = later === -1 ? list.length : later;
  const sameMoment = list.filter(({ date }) => date.getTime() === one.date.getTime());
  const isKnown = [list[at - 1], list[at] ?? current, ...sameMoment].some(
    (other) => other && saysTheSame(other, one),
  );
  return isKnown ? list : list.toSpliced(at, 0, one);
}

type Words = Pick<ReviewVersion, "rating" | "title" | "text">;

function saysTheSame(one: Words, other: Words): boolean {
  return one.rating === other.rating && one.title === other.title && one.text === other.text;
}
