// Changes of the layout of the App Store.
import {
  asItems,
  type Entry,
  escapeHtml,
  type Json,
  type LayoutChange,
  mask,
  report,
  wordsIn,
} from "./layout-change.ts";

/** App Store: scalars wrapped in a label. */
const apple = (name: string, change: Omit<LayoutChange, "name" | "store">): LayoutChange => ({
  name: `App Store, ${name}`,
  store: "appstore",
  ...change,
});
const labelOf = (value: Json): string => wordsIn((value as Entry | null)?.["label"]);
const label = (text: string): Entry => ({ label: text });
const put =
  (key: string, change: (text: string, entry: Entry) => string) =>
  (entry: Entry): Entry => ({
    ...entry,
    [key]: { ...(entry[key] as Entry), label: change(labelOf(entry[key]), entry) },
  });
const swapKeys = (one: string, other: string) => (entry: Entry) => ({
  ...entry,
  [one]: entry[other],
  [other]: entry[one],
});
const authorOf = (entry: Entry): string => labelOf((entry["author"] as Entry)["name"]);
const withAuthor = (entry: Entry, name: string): Entry => ({
  ...entry,
  author: { ...(entry["author"] as Entry), name: label(name) },
});
const ofFeed = (change: (feed: Entry) => Json) => (payload: Entry) => ({
  feed: change(payload["feed"] as Entry),
});
const shift = (ms: number) =>
  put("updated", (text) =>
    new Date(Date.parse(text) + ms).toISOString().replace(".000Z", "+00:00"),
  );

/** Both formats of the feed change alike: XML has no shape of its own, so it is refused. */
const alsoXml = {
  text: (text: string, url: string) => (url.includes("/xml") ? "<html>moved</html>" : text),
};
/** The feed leaves its entries out, as it does on some days. */
const noFeed = {
  payload: ofFeed(({ entry: _, ...feed }) => feed),
  list: () => [],
};
const inPlace = (part: string, change: (text: string) => string) => ({
  text: (text: string, url: string) =>
    url.includes("/xml")
      ? text.replace(/<entry>[\s\S]*<\/entry>/, "")
      : url.includes(part)
        ? change(text)
        : text,
});
const rows = (change: (row: Entry) => Entry) => (text: string) => {
  const list = JSON.parse(text) as { userReviewList: Entry[] };
  return JSON.stringify({ userReviewList: list.userReviewList.map(change) });
};

export const appleChanges: LayoutChange[] = [
  apple("stars without their prefix", {
    ...report,
    item: ({ "im:rating": rating, ...entry }) => ({ ...entry, rating }),
    ...alsoXml,
  }),
  apple("content under another name", {
    ...report,
    item: ({ content, ...entry }) => ({ ...entry, body: content }),
    ...alsoXml,
  }),
  apple("ids under another name", {
    item: ({ id, ...entry }) => ({ ...entry, reviewId: id }),
    ...alsoXml,
  }),
  apple("dates under another name", {
    item: ({ updated, ...entry }) => ({ ...entry, published: updated }),
    ...alsoXml,
  }),
  apple("labels renamed", {
    ...report,
    item: (entry) => JSON.parse(JSON.stringify(entry).replaceAll('"label"', '"value"')) as Entry,
    ...alsoXml,
  }),
  apple("labels in lists", {
    item: (entry) => ({ ...entry, title: [entry["title"]], updated: [entry["updated"]] }),
    ...alsoXml,
  }),
  apple("scalars without labels", {
    item: (entry) => ({
      ...entry,
      title: labelOf(entry["title"]),
      content: labelOf(entry["content"]),
      "im:rating": labelOf(entry["im:rating"]),
    }),
    ...alsoXml,
  }),
  apple("stars and version in an object", {
    item: ({ "im:rating": rating, "im:version": version, ...entry }) => ({
      ...entry,
      meta: { rating, version },
    }),
    ...alsoXml,
  }),
  apple("date and author in an object", {
    item: ({ updated, author, ...entry }) => ({ ...entry, more: { updated, author } }),
    ...alsoXml,
  }),
  apple("each entry in a list", { item: (entry) => [entry], ...alsoXml }),
  apple("entries under another name", {
    ...report,
    payload: ofFeed(({ entry, ...feed }) => ({ ...feed, entries: entry })),
    ...alsoXml,
  }),
  apple("two entries, all of them under another name", {
    ...report,
    payload: ofFeed(({ entry, ...feed }) => ({
      ...feed,
      entry: asItems(entry).slice(-2),
      entries: entry,
    })),
    ...alsoXml,
  }),
  apple("the feed in an object", { payload: (payload) => ({ data: payload }), ...alsoXml }),
  apple("the feed in a list", { payload: (payload) => [payload], ...alsoXml }),
  apple("title and text swapped", { ...report, item: swapKeys("title", "content"), ...alsoXml }),
  apple("title and author swapped", {
    ...report,
    item: (entry) =>
      withAuthor({ ...entry, title: label(authorOf(entry)) }, labelOf(entry["title"])),
    ...alsoXml,
  }),
  apple("text and author swapped", {
    item: (entry) =>
      withAuthor({ ...entry, content: label(authorOf(entry)) }, labelOf(entry["content"])),
    ...alsoXml,
  }),
  apple("text and version swapped", {
    ...report,
    item: swapKeys("content", "im:version"),
    ...alsoXml,
  }),
  apple("stars and votes swapped", {
    ...report,
    item: swapKeys("im:rating", "im:voteSum"),
    ...alsoXml,
  }),
  apple("title inside of the text", {
    ...report,
    item: (entry) => put("content", (text, { title }) => `${labelOf(title)}: ${text}`)(entry),
    ...alsoXml,
  }),
  apple("text inside of the title", {
    item: (entry) => put("title", (text, { content }) => `${text} ${labelOf(content)}`)(entry),
    ...alsoXml,
  }),
  apple("titles gone", { item: (entry) => put("title", () => "")(entry), ...alsoXml }),
  apple("texts cut at 25 letters", {
    ...report,
    item: put("content", (text) => text.slice(0, 25)),
    ...alsoXml,
  }),
  apple("texts escaped", { ...report, item: put("content", escapeHtml), ...alsoXml }),
  apple("stars inverted", {
    ...report,
    item: put("im:rating", (stars) => String(6 - Number(stars))),
    ...alsoXml,
  }),
  apple("stars from zero", {
    item: put("im:rating", (stars) => String(Math.max(1, Number(stars) - 1))),
    ...alsoXml,
  }),
  apple("all five stars", { ...report, item: put("im:rating", () => "5"), ...alsoXml }),
  apple("stars as numbers", {
    item: (entry) => ({ ...entry, "im:rating": { label: Number(labelOf(entry["im:rating"])) } }),
    ...alsoXml,
  }),
  apple("dates seven hours later", { ...report, item: shift(7 * 3_600_000), ...alsoXml }),
  apple("dates a day earlier", { item: shift(-86_400_000), ...alsoXml }),
  apple("dates in words", {
    item: put("updated", (text) => new Date(text).toUTCString()),
    ...alsoXml,
  }),
  apple("dates of the latest review", {
    list: (items) =>
      items.map((entry) => ({ ...(entry as Entry), updated: (items[0] as Entry)["updated"] })),
    ...alsoXml,
  }),
  apple("dates gone", { item: ({ updated: _, ...entry }) => entry, ...alsoXml }),
  apple("ids with a digit before", { ...report, item: put("id", (id) => `9${id}`), ...alsoXml }),
  apple("ids in another form", { item: put("id", (id) => `rev-${id}`), ...alsoXml }),
  apple("authors masked", {
    ...report,
    item: (entry) => withAuthor(entry, mask(authorOf(entry))),
    ...alsoXml,
  }),
  apple("authors replaced by ids", {
    ...report,
    item: (entry) => withAuthor(entry, labelOf(entry["id"])),
    ...alsoXml,
  }),
  apple("the system's version in the place of the app's", {
    item: put("im:version", (version) => `17.${version.slice(-1)}`),
    ...alsoXml,
  }),
  apple("another count in the place of the votes", {
    item: (entry) => put("im:voteSum", (votes) => String((Number(votes) * 5 + 3) % 11))(entry),
    ...alsoXml,
  }),
  apple("half of the entries unreadable", {
    item: (entry, index) => (index % 2 === 0 ? put("im:rating", () => "five")(entry) : entry),
    ...alsoXml,
  }),
  apple("the oldest first", { list: (items) => items.toReversed(), ...alsoXml }),
  apple("three old entries alone", { list: (items) => items.slice(-3), ...alsoXml }),
  apple("the JSON broken, the XML as before", {
    ...report,
    item: (entry) => ({ moved: Object.keys(entry).length }),
  }),
  apple("stars of the JSON inverted, the XML as before", {
    item: put("im:rating", (stars) => String(6 - Number(stars))),
  }),
  apple("title and body swapped in the list of the desktop program", {
    ...report,
    ...noFeed,
    ...inPlace(
      "userReviewsRow",
      rows((row) => ({ ...row, title: row["body"], body: row["title"] })),
    ),
  }),
  apple("stars inverted in the list of the desktop program", {
    ...noFeed,
    ...inPlace(
      "userReviewsRow",
      rows((row) => ({ ...row, rating: 6 - Number(row["rating"]) })),
    ),
  }),
  apple("stars inverted in the app's page, nothing else", {
    ...report,
    ...noFeed,
    text: (text, url) => {
      if (url.includes("/xml")) return text.replace(/<entry>[\s\S]*<\/entry>/, "");
      if (url.includes("userReviewsRow")) return '{"userReviewList":[]}';
      return text.replace(/"rating":([1-5])/g, (_, stars) => `"rating":${6 - Number(stars)}`);
    },
  }),
  apple("the app itself first, with its average", {
    ...report,
    list: (items) =>
      items.length === 0
        ? items
        : [
            {
              "im:name": label("Tidepool Journal"),
              id: { label: "1987000001", attributes: { "im:id": "1987000001" } },
              title: label("Tidepool Journal - Harbour Apps"),
              content: { label: "Tides of all harbours.", attributes: { type: "text" } },
              author: { name: label("Harbour Apps"), label: "" },
              "im:rating": label("4"),
              updated: (items[0] as Entry)["updated"],
            },
            ...items,
          ],
    ...alsoXml,
  }),
  apple("dates without an offset", {
    ...report,
    item: put("updated", (text) => text.replace(/[+-]\d\d:\d\d$/, "")),
    ...alsoXml,
  }),
  apple("texts as paragraphs of HTML", {
    ...report,
    item: put("content", (text) => `<p>${escapeHtml(text)}</p>`),
    ...alsoXml,
  }),
  apple("stars as signs", {
    ...report,
    item: put("im:rating", (stars) => "\u2605".repeat(Number(stars)).padEnd(5, "\u2606")),
    ...alsoXml,
  }),
  apple("the day before the month in the list of the desktop program", {
    ...report,
    ...noFeed,
    ...inPlace(
      "userReviewsRow",
      rows((row) => {
        const [date = "", time = ""] = wordsIn(row["date"]).split("T");
        return { ...row, date: `${date.split("-").toReversed().join("/")} ${time.slice(0, 5)}` };
      }),
    ),
  }),
];
