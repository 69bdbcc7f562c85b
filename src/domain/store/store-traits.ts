// How the stores differ. A comparison with one store's id belongs here: a new store is one more entry.
import {
  type AppLink,
  isPackageName,
  parseAddonLink,
  parseAppleLink,
  parseGoogleLink,
} from "./app-link.ts";
import type { StoreId } from "./store-id.ts";

type StoreApp = { externalAppId: string; country?: string | undefined };

type StoreTraits = {
  /** For headings and labels. */
  name: string;
  /** For sentences. */
  nameInText: string;
  /**
   * The dimension by which its lists of reviews are split. Reviews of a store by language have no country; ratings are
   * by storefront. `list`: it has a single list.
   */
  reviewsBy: "storefront" | "language" | "list";
  /** The `country` of everything in a store without storefronts; null where users choose them. */
  soleRegion: string | null;
  /** Its list has many ratings without a text, so that a page of nothing else is usual. */
  listsStarsAlone: boolean;
  /** An edited review keeps its date. */
  keepsDateOfEdits: boolean;
  /** Besides its id an app has names that the store resolves, such as the last part of its link. */
  namesApps: boolean;
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
  /** The id in a column of a file that may hold numbers of other products; null unless its form is the store's alone. */
  readFileId(value: string): string | null;
  /** The words for it in files, in lower case and without blanks. */
  fileNames: readonly string[];
  /** null for a link that names no app of the store. */
  parseLink(text: string): AppLink | null;
  /** The beginning of the names of its pages' shapes; null for a documented API, whose fields stay. */
  shapePrefix: string | null;
  /** An app whose newest page is always full. */
  canaryApp: string;
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

const ofAppStores = {
  ...{ soleRegion: null, listsStarsAlone: false, keepsDateOfEdits: false, namesApps: false },
};

/** The world in UN M.49, as in language tags such as `en-001`. */
const world = "001";

export const storeTraits: Readonly<Record<StoreId, StoreTraits>> = {
  appstore: {
    name: "App Store",
    nameInText: "the App Store",
    reviewsBy: "storefront",
    ...ofAppStores,
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
    // As the store counts; other products' own numbers are shorter or longer.
    readFileId: (value) => /^(?:id)?(\d{9,10})$/.exec(value)?.[1] ?? null,
    fileNames: "appstore applestore appleappstore itunes ios apple as mac macappstore".split(" "),
    parseLink: parseAppleLink,
    shapePrefix: "apple-",
    canaryApp: "310633997",
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
    ...ofAppStores,
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
    readFileId: (value) => (isPackageName(value) ? value : null),
    fileNames: "googleplay googleplaystore play playstore google android gp".split(" "),
    parseLink: parseGoogleLink,
    shapePrefix: "google-",
    canaryApp: "com.whatsapp",
    pageUrl: ({ externalAppId }) =>
      `https://play.google.com/store/apps/details?id=${encodeURIComponent(externalAppId)}`,
    reviewQuery: (id) => `&reviewId=${encodeURIComponent(id)}`,
  },
  firefoxaddons: {
    name: "Firefox Add-ons",
    nameInText: "Firefox Add-ons",
    reviewsBy: "list",
    ...{ soleRegion: world, listsStarsAlone: true, keepsDateOfEdits: true, namesApps: true },
    hasTitles: false,
    hasPublicReplies: true,
    hasPlayConsole: false,
    officialLimit: null,
    answers: null,
    // Shorter than the numbers of the App Store.
    appIdPattern: /^\d{3,8}$/,
    readFileId: () => null,
    fileNames: "firefoxaddons firefox addons amo addonsmozillaorg mozilla".split(" "),
    parseLink: parseAddonLink,
    shapePrefix: null,
    canaryApp: "607454",
    pageUrl: ({ externalAppId }) =>
      `https://addons.mozilla.org/firefox/addon/${encodeURIComponent(externalAppId)}/`,
    reviewQuery: (id) => `reviews/${encodeURIComponent(id)}/`,
  },
};

/** null for a link that names no app of the store. */
export function parseAppLink(store: StoreId, text: string): AppLink | null {
  return storeTraits[store].parseLink(text.trim());
}

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
