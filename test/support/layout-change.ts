// A change of a store's layout, as functions of the answers of the store, and tools to write one.

export type Json = unknown;
export type Items = Json[];
export type Entry = Record<string, Json>;

export type LayoutChange = {
  name: string;
  store: "googleplay" | "appstore";
  /** Applied to each review of a page of reviews. */
  item?: (item: Items & Entry, index: number) => Json;
  /** Applied to the list of reviews of a page. */
  list?: (items: Json[]) => Json;
  /** Applied to the whole payload: of Google Play the arrays of a call, of the App Store the JSON of the feed. */
  payload?: (payload: Items & Entry) => Json;
  /** Applied to the text of another place: the feed as XML, the list of the desktop program, the app's page. */
  text?: (text: string, url: string) => string;
  isFromReport?: true;
};

export const asItems = (value: Json): Items => (Array.isArray(value) ? value : []);
export const wordsIn = (value: Json): string => (typeof value === "string" ? value : "");
export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("'", "&#39;").replaceAll("<", "&lt;");
export const mask = (text: string): string => `${text.slice(0, 1)}***`;
/** Marks a kind of change that was written without sight of the program. */
export const report = { isFromReport: true } as const;
