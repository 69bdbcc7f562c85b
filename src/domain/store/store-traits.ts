// How the stores differ. A comparison with one store's id belongs here: a new store is one more entry.
import type { StoreId } from "./store-id.ts";

type StoreApp = { externalAppId: string; country?: string | undefined };

type StoreTraits = {
  /** For headings and labels. */
  name: string;
  /** For sentences. */
  nameInText: string;
  /**
   * The dimension by which its lists of reviews are split. Reviews of a store by language have no country; ratings are
   * by storefront.
   */
  reviewsBy: "storefront" | "language";
  hasTitles: boolean;
  /** Whether public pages show the developer's replies, so that a review without one has none. */
  hasPublicReplies: boolean;
  hasPlayConsole: boolean;
  /** Whose API for an account has the reviews of how many days; null where it has all. */
  officialLimit: { provider: string; days: number } | null;
  /** The bounds of answers to reviews through its API for an account; null where it takes none. */
  answers: AnswerTraits | null;
  /** Stricter than the store itself: a package has a dot, or any single word would pass for one. */
  appIdPattern: RegExp;
  /** Where people find an app. */
  pageUrl(app: StoreApp): string;
  /** The path from there to its reviews, or to the review with this store id. */
  reviewQuery(storeReviewId: string): string;
};

type AnswerTraits = {
  charactersMax: number;
  /** Sent for one app in an hour. */
  perHourMax: number;
  canWithdraw: boolean;
  /** The store shows an answer some time after it took it. */
  isPublishedLater: boolean;
  /** An account that may answer, in words. */
  right: string;
};

export const storeTraits: Readonly<Record<StoreId, StoreTraits>> = {
  appstore: {
    name: "App Store",
    nameInText: "the App Store",
    reviewsBy: "storefront",
    hasTitles: true,
    hasPublicReplies: false,
    hasPlayConsole: false,
    officialLimit: null,
    // One of 3,500 requests an hour and key, of which an answer takes about three.
    answers: {
      ...{ charactersMax: 5_970, perHourMax: 300, canWithdraw: true, isPublishedLater: true },
      right: "a key with the role Customer Support or one above it",
    },
    appIdPattern: /^\d{5,}$/,
    pageUrl({ externalAppId, country }) {
      // Its pages need a storefront.
      const storefront = country && /^[a-z]{2}$/.test(country) ? country : "us";
      return `https://apps.apple.com/${storefront}/app/id${encodeURIComponent(externalAppId)}`;
    },
    reviewQuery: () => "?see-all=reviews",
  },
  googleplay: {
    name: "Google Play",
    nameInText: "Google Play",
    reviewsBy: "language",
    hasTitles: false,
    hasPublicReplies: true,
    hasPlayConsole: true,
    officialLimit: { provider: "Google", days: 7 },
    // Google takes 2,000 answers of an app a day, and 200 reads an hour, of which each answer takes at least one.
    answers: {
      ...{ charactersMax: 350, perHourMax: 70, canWithdraw: false, isPublishedLater: false },
      right: 'a service account with the permission "Reply to reviews"',
    },
    appIdPattern: /^(?=\S+$)[^.]+\../,
    pageUrl: ({ externalAppId }) =>
      `https://play.google.com/store/apps/details?id=${encodeURIComponent(externalAppId)}`,
    reviewQuery: (id) => `&reviewId=${encodeURIComponent(id)}`,
  },
};

export function storePageUrl({ store, ...app }: StoreApp & { store: StoreId }): string {
  return storeTraits[store].pageUrl(app);
}

/** Where people find a review: itself where it has a page, else among those of its storefront. */
export function storeReviewUrl(
  app: StoreApp & { store: StoreId },
  review: { storeReviewId: string },
): string {
  return storePageUrl(app) + storeTraits[app.store].reviewQuery(review.storeReviewId);
}

export function hasReviewsByLanguage(store: StoreId): boolean {
  return storeTraits[store].reviewsBy === "language";
}
