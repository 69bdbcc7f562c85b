// Judges a page of reviews by itself: it is right, because known reviews are on it as they are stored; odd, by one of the
// causes of a changed layout; or neither, with too few known reviews to decide. Pure. ADR 98 lists the causes.
import { createHash } from "node:crypto";
import {
  type PageSuspicion,
  type SuspicionKind,
  toUnconfirmed,
} from "../domain/feed/page-quarantine.ts";
import { type Judgement, lastingKinds } from "../domain/feed/source-trust.ts";
import type { Review } from "../domain/review/review.ts";
import type { StoreId } from "../domain/store/store-id.ts";
import { storeTraits } from "../domain/store/store-traits.ts";
import { dayMs } from "../lib/timestamp.ts";
import type { IdentifiedReview } from "./ingest-batch.ts";
import type { PageFacts, ReadPage } from "./page-facts.ts";
import { findCut, findDerived, findForeign, isMuchShorter } from "./page-lists.ts";
import {
  type Changed,
  changeOf,
  isAltered,
  isSwapped,
  type Pair,
  showsReplyDate,
} from "./page-pairs.ts";

type Cause = {
  kind: SuspicionKind;
  /** In words; null where the page does not show it. */
  find(page: PageFacts): string | null;
};

/** So few reviews agree or differ by accident. */
const fewMin = 3;
/** A list of strangers: so many people don't write without a text, or under one name. */
const strangersMin = 10;
// Reviews of a page that were written so close together have the time of the request or of a copy.
const alikeMs = 60_000;
/** Texts as short as "Great app" are written by many. */
const ownWordsMin = 20;
/** How Google Play names all who have deleted their account. */
const nobody = /^a google user$/i;
/** A first page is read at each crawl; stores publish some edits days later. */
const lateEditMs = 7 * dayMs;

/** The first one that finds something names the page. */
export const causes: readonly Cause[] = [
  {
    kind: "unread",
    find({ reviews, rejectedCount }) {
      const itemCount = reviews.length + rejectedCount;
      const isNothing = reviews.length === 0 && rejectedCount > 0;
      const isMany = rejectedCount >= 5 && rejectedCount * 5 > itemCount;
      return isNothing || isMany
        ? `${rejectedCount} of ${itemCount} items of a page could not be read as reviews`
        : null;
    },
  },
  {
    kind: "undated",
    find: ({ reviews }) =>
      reviews.length > 0 && reviews.every(({ date }) => date === null)
        ? `none of the ${reviews.length} reviews of a page has a date`
        : null,
  },
  {
    kind: "texts_gone",
    find({ reviews, pairs, store }) {
      const known = pairs.filter(({ before }) => before.text !== "");
      const areKnownGone =
        known.length >= fewMin && known.every(({ review }) => (review.text ?? "") === "");
      const areAllOmitted = reviews.length > 0 && reviews.every(({ text }) => text === null);
      const isNoneWritten =
        !storeTraits[store].listsStarsAlone &&
        reviews.length >= strangersMin &&
        reviews.every(({ text, title }) => (text ?? "") === "" && (title ?? "") === "");
      return areKnownGone || areAllOmitted || isNoneWritten
        ? "the texts of all reviews of a page are missing"
        : null;
    },
  },
  {
    // Developers delete a reply now and then, and not all of a page.
    kind: "replies_gone",
    find({ hasReplies, reviews, pairs }) {
      const count = pairs.filter(({ before }) => before.reply !== null).length;
      const isGone = hasReplies && count >= fewMin && reviews.every(({ reply }) => reply === null);
      return isGone
        ? `the replies to all ${count} reviews of a page that had one are missing`
        : null;
    },
  },
  {
    // Each review has the contents of another one, as when a list of contents is off by one from the list of ids.
    kind: "contents_moved",
    find({ pairs, changed }) {
      const others = changed.filter(({ isContent }) => isContent);
      const owners = new Set(
        others.length < fewMin ? [] : pairs.map((one) => contentOf(one.before)),
      );
      const moved = others.filter(({ pair: { review, before } }) => {
        const content = contentOf(review);
        const isAnothers = content !== contentOf(before) && owners.has(content);
        return content.length >= ownWordsMin && isAnothers;
      });
      return moved.length >= fewMin
        ? `${moved.length} of ${pairs.length} known reviews of a page have the contents of another one`
        : null;
    },
  },
  {
    kind: "contents_moved",
    find(page) {
      const moved = findReplies(page);
      return moved.length > 0
        ? `${moved.length} new reviews of a page are replies to known ones`
        : null;
    },
  },
  {
    kind: "fields_swapped",
    find: ({ pairs }) =>
      describeCount(pairs.filter(isSwapped), pairs, "have a field in the place of another one"),
  },
  {
    kind: "texts_altered",
    find: ({ pairs, changed, store }) =>
      describeCount(
        unlessUsual(store, changed.filter(isAltered)),
        pairs,
        "have their text cut, escaped or inside of another one",
      ),
  },
  {
    kind: "fields_alike",
    find: (page) => findAlike(page.reviews) ?? findRenamed(page),
  },
  {
    kind: "changed_at_once",
    find({ pairs, changed, store }) {
      const all = changed.filter(({ isInPlace }) => isInPlace);
      const inPlace = unlessUsual(store, all);
      return isMany(inPlace.length, pairs)
        ? describeCount(inPlace, pairs, "changed without a new date")
        : null;
    },
  },
  { kind: "dates_shifted", find: findShifted },
  {
    kind: "dates_alike",
    find({ reviews }) {
      const times = reviews.flatMap(({ date }) => date?.getTime() ?? []);
      const isAlike =
        times.length >= strangersMin && Math.max(...times) - Math.min(...times) <= alikeMs;
      return isAlike ? `all ${times.length} reviews of a page are dated within a minute` : null;
    },
  },
  { kind: "votes_moved", find: findVotesMoved },
  { kind: "foreign", find: findForeign },
  { kind: "foreign", find: findDerived },
  { kind: "list_cut", find: findCut },
  {
    // An edit brings its review to the top: where most of a first page is new, its known reviews are those that were edited.
    kind: "edited_at_once",
    find({ reviews, pairs, changed, isFirstPage }) {
      const edited = changed.filter(({ isContent, isDated }) => isContent && isDated);
      const shown = isFirstPage ? reviews : pairs;
      return edited.length >= fewMin && edited.length * 2 > shown.length
        ? describeCount(edited, pairs, "were edited at once")
        : null;
    },
  },
  {
    kind: "changed_alone",
    find({ pairs, changed, store }) {
      const { keepsDateOfEdits } = storeTraits[store];
      const alone = changed.filter(
        ({ isInPlace, isRenamed, isVersion }) =>
          (isInPlace && !keepsDateOfEdits) || (isRenamed && isVersion),
      );
      const renamed = changed.filter(({ isRenamed }) => isRenamed);
      const areAllRenamed = renamed.length > 1 && pairs.length < fewMin;
      return describeCount(areAllRenamed ? renamed : alone, pairs, "changed without a new date");
    },
  },
  {
    // An author takes another name, which a longer page shows to be the cause.
    kind: "renamed_alone",
    find({ pairs, changed }) {
      const renamed = changed.filter(({ isRenamed }) => isRenamed);
      return pairs.length >= fewMin ? null : describeCount(renamed, pairs, "have another author");
    },
  },
  { kind: "votes_jumped", find: findVotesJumped },
];

export function judgeOnItsOwn(page: ReadPage): Judgement {
  const reviews = page.identified.map(({ review }) => review);
  const pairs = page.identified.flatMap(({ id, review }): Pair[] => {
    const before = page.known.get(id);
    const isOld = page.isLagging && review.date !== null && before && review.date < before.date;
    return before && !isOld ? [{ review, before }] : [];
  });
  const changed = pairs.map(changeOf).filter((change) => change !== null);
  const facts: PageFacts = { ...page, reviews, pairs, changed };
  const sameCount = pairs.length - changed.length;
  const changedPairs = new Set(changed.map(({ pair }) => pair));
  const same = pairs.filter((pair) => !changedPairs.has(pair));
  // Stars that are all alike look the same upside down.
  const isVaried = new Set(same.map(({ before }) => before.rating)).size > 1;
  const isMostlyKnown = sameCount >= fewMin && sameCount * 2 > pairs.length;
  for (const { kind, find } of causes) {
    const reason = find(facts);
    if (reason !== null) {
      return { kind: "odd", suspicion: suspect(page, { kind, reason }), isMostlyKnown };
    }
  }
  // A reply of a new review may be something else, if no known review shows where replies are.
  const isReplied = page.identified.some(({ id, review }) => review.reply && !page.known.has(id));
  const isCovered = !isReplied || same.some(({ before }) => before.reply !== null);
  const isWhole = !page.isFirstPage || !isMuchShorter(facts);
  const isRight = isMostlyKnown && isVaried && isCovered && isWhole;
  if (isRight && page.rejectedCount === 0) return { kind: "right" };
  const why = `${sameCount === 0 ? "none" : `only ${sameCount}`} of their page were known before`;
  return { kind: "unjudged", suspicion: waiting(page, why) };
}

export function waiting(page: Pick<ReadPage, "identified" | "known">, why: string): PageSuspicion {
  const reason = `${page.identified.length} reviews wait, because ${why}`;
  return suspect(page, { kind: "waiting", reason });
}

function suspect(
  { identified, known }: Pick<ReadPage, "identified" | "known">,
  { kind, reason }: Pick<PageSuspicion, "kind" | "reason">,
): PageSuspicion {
  const unknown = identified.flatMap(({ id, review }) => (known.has(id) ? [] : [review]));
  const unconfirmed = toUnconfirmed(unknown);
  const contents = lastingKinds.includes(kind) ? hashContents(identified) : {};
  return { kind, reason, contents, unconfirmed };
}

/** Whether no review of a page has a field that known ones had: it may have moved. Saving the page loses nothing. */
export function hasLostField({
  identified,
  known,
}: Pick<ReadPage, "identified" | "known">): boolean {
  return (["author", "title", "version", "votes"] as const).some((name) => {
    const isThere = (review: Pair["review"] | Review): boolean => (review[name] ?? "") !== "";
    const hadCount = identified.filter(({ id }) => {
      const before = known.get(id);
      return before !== undefined && isThere(before);
    }).length;
    return hadCount >= fewMin && !identified.some(({ review }) => isThere(review));
  });
}

/** Where edits keep their date, it takes several at once to be odd. */
function unlessUsual<Found>(store: StoreId, found: readonly Found[]): readonly Found[] {
  return storeTraits[store].keepsDateOfEdits && found.length < fewMin ? [] : found;
}

function describeCount(
  found: readonly unknown[],
  pairs: readonly unknown[],
  what: string,
): string | null {
  if (found.length === 0) return null;
  return `${found.length} of ${pairs.length} known reviews of a page ${what}`;
}

/** Three of a page with few known reviews, a tenth of a longer one; of one or two each. */
function isMany(count: number, { length }: readonly Pair[]): boolean {
  return count * 3 > length || (count >= fewMin && count * 10 > length);
}

function contentOf({ title, text }: Pick<IdentifiedReview["review"], "title" | "text">): string {
  return `${title ?? ""}\n${text ?? ""}`;
}

/** Texts of new reviews that are stored as replies of known reviews, which have none now. */
function findReplies({ identified, known, pairs }: PageFacts): readonly IdentifiedReview[] {
  const gone = new Set(
    pairs.flatMap(({ review, before: { reply } }) =>
      reply && review.reply === null && reply.text.length >= ownWordsMin ? [reply.text] : [],
    ),
  );
  if (gone.size === 0) return [];
  return identified.filter(({ id, review }) => !known.has(id) && gone.has(review.text ?? ""));
}

/** A field that shows another one, or the same to all. */
function findAlike(reviews: PageFacts["reviews"]): string | null {
  const most = (matches: (review: IdentifiedReview["review"]) => boolean): boolean => {
    const count = reviews.filter(matches).length;
    return count >= fewMin && count * 2 > reviews.length;
  };
  if (most(({ reply, text }) => reply !== null && reply.text === text && text !== ""))
    return "the replies of a page repeat its reviews";
  if (most(({ author, text }) => text !== null && text.length >= ownWordsMin && author === text))
    return "the authors of a page repeat its texts";
  if (most(({ author, storeReviewId }) => author === storeReviewId))
    return "the authors of a page are the ids of its reviews";
  const [first] = reviews;
  const isOne =
    reviews.length >= strangersMin &&
    first?.author &&
    !nobody.test(first.author) &&
    reviews.every(({ author }) => author === first.author);
  return isOne ? `all ${reviews.length} reviews of a page have one author` : null;
}

function findRenamed({ pairs, changed }: PageFacts): string | null {
  const renamed = changed.filter(({ isRenamed }) => isRenamed);
  return renamed.length >= fewMin && isMany(renamed.length, pairs)
    ? `author or version of ${renamed.length} of ${pairs.length} known reviews of a page changed without an edit`
    : null;
}

/**
 * An author moves a date forward, to a moment since the last reading. Many that move, or any number that move back or to a
 * moment that was read before, are those of the request, of a copy, of a wrong clock or of the reply.
 */
function findShifted({ pairs, changed, feed, isFirstPage }: PageFacts): string | null {
  const replied = pairs.filter(showsReplyDate);
  if (replied.length > 0) return describeCount(replied, pairs, "have the date of their reply");
  const moved = changed.filter(({ isDated, isContent }) => isDated && !isContent);
  const readAt = (isFirstPage ? feed.goodAt : feed.fullCrawlAt)?.getTime() ?? null;
  const isImpossible = ({ pair: { review, before }, isDated }: Changed): boolean => {
    const date = review.date?.getTime() ?? 0;
    const isBefore = readAt !== null && date < readAt - lateEditMs;
    return isDated && (date < before.date.getTime() || isBefore);
  };
  const impossible = changed.filter(isImpossible);
  const isOdd =
    isMany(impossible.length, pairs) || (moved.length >= fewMin && isMany(moved.length, pairs));
  if (!isOdd) return null;
  const count = Math.max(moved.length, impossible.length);
  return `the dates of ${count} of ${pairs.length} known reviews of a page moved without an edit`;
}

type Votes = { read: number; stored: number };

function votesOf(pairs: readonly Pair[]): Votes[] {
  return pairs.flatMap(({ review, before }) =>
    review.votes === null || before.votes === null
      ? []
      : [{ read: review.votes, stored: before.votes }],
  );
}

/** Votes are added one by one, and seldom taken back: of three and more, even one that fell is rare. */
function findVotesMoved({ pairs }: PageFacts): string | null {
  const votes = votesOf(pairs);
  const moved = votes.filter(({ read, stored }) => read !== stored);
  const fallen = moved.filter(({ read, stored }) => read < stored);
  const isOdd =
    moved.length >= fewMin && moved.length * 3 > votes.length && fallen.length * 10 > moved.length;
  return isOdd ? describeCount(moved, pairs, "have other votes") : null;
}

/** Some that fell, or rose fast. Where many rise and none falls, people read them. */
function findVotesJumped({ pairs }: PageFacts): string | null {
  const votes = votesOf(pairs);
  const fallen = votes.filter(({ read, stored }) => read < stored);
  const risen = votes.filter(({ read, stored }) => read > 2 * stored + 2);
  const jumpedCount = fallen.length + risen.length;
  const isRead = fallen.length === 0 && risen.length >= strangersMin;
  const isOdd = jumpedCount * 5 > votes.length && !isRead;
  return isOdd ? describeCount([...fallen, ...risen], pairs, "have other votes") : null;
}

function hashContents(identified: readonly IdentifiedReview[]): Record<string, string> {
  return Object.fromEntries(
    identified.map(({ review }) => {
      const { storeReviewId, rating, title, text, date } = review;
      const content = JSON.stringify([rating, title, text, date]);
      return [storeReviewId, createHash("sha1").update(content).digest("base64url").slice(0, 10)];
    }),
  );
}
