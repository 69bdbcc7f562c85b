// Changes of the layout of Google Play.
import {
  asItems,
  escapeHtml,
  type Items,
  type Json,
  type LayoutChange,
  mask,
  report,
  wordsIn,
} from "./layout-change.ts";

/** Google Play: arrays without names. 0 id, 1 author, 2 stars, 3 title, 4 text, 5 date, 6 votes, 7 reply, 10 version. */
const google = (name: string, change: Omit<LayoutChange, "name" | "store">): LayoutChange => ({
  name: `Google Play, ${name}`,
  store: "googleplay",
  ...change,
});
const set =
  (index: number, change: (value: Json, item: Items) => Json) =>
  (item: Items): Items =>
    item.with(index, change(item[index], item));
const swap = (one: number, other: number) => (item: Items) =>
  item.with(one, item[other]).with(other, item[one]);
const swapAuthor = (other: number) => (item: Items) =>
  item.with(1, [item[other], ...asItems(item[1]).slice(1)]).with(other, asItems(item[1])[0]);
const seconds = (change: (seconds: number, item: Items) => Json) =>
  set(5, (date, item) => [change(Number(asItems(date)[0]), item), asItems(date)[1]]);
const toEnd =
  (...indexes: number[]) =>
  (item: Items): Items => [
    ...item.map((value, index) => (indexes.includes(index) ? null : value)),
    Object.fromEntries(indexes.map((index) => [String(index + 1), item[index]])),
  ];

export const googleChanges: LayoutChange[] = [
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 10].map((index) =>
    google(`something new before ${index}`, {
      ...report,
      item: (item) => item.toSpliced(index, 0, null),
    }),
  ),
  google("two new fields before the stars", { item: (item) => item.toSpliced(2, 0, null, []) }),
  google("a field before the author goes", { item: (item) => item.toSpliced(3, 1) }),
  ...[1, 2, 4, 5, 6, 7, 10].map((index) =>
    google(`${index} moved into an object at the end`, { item: toEnd(index) }),
  ),
  google("stars and text in an object at the end", { item: toEnd(2, 4) }),
  google("author, date and version in an object at the end", { item: toEnd(1, 5, 10) }),
  ...[2, 4, 6, 10].map((index) =>
    google(`${index} inside a list`, { item: set(index, (value) => [value]) }),
  ),
  google("all fields in an object", {
    ...report,
    item: (item) => [Object.fromEntries(item.entries())],
  }),
  google("stars and votes swapped", { ...report, item: swap(2, 6) }),
  google("text and version swapped", { ...report, item: swap(4, 10) }),
  google("text and author swapped", { item: swapAuthor(4) }),
  google("title in the place of the text", { item: swap(3, 4) }),
  google("author and version swapped", { item: swapAuthor(10) }),
  google("votes in the place of the stars, stars behind", {
    item: (item) => [...item.with(2, item[6]), item[2]],
  }),
  google("stars inverted", { ...report, item: set(2, (stars) => 6 - Number(stars)) }),
  google("stars from zero", { ...report, item: set(2, (stars) => Math.max(1, Number(stars) - 1)) }),
  google("all five stars", { ...report, item: set(2, () => 5) }),
  google("stars as text", { ...report, item: set(2, (stars) => String(stars)) }),
  google("stars of ten", { item: set(2, (stars) => 2 * Number(stars)) }),
  google("stars of one decimal as text", { item: set(2, (stars) => Number(stars).toFixed(1)) }),
  google("stars only where there are votes", {
    item: (item) => (Number(item[6]) > 0 ? item.with(2, 5) : item),
  }),
  google("texts cut at 25 letters", {
    ...report,
    item: set(4, (text) => wordsIn(text).slice(0, 25) || null),
  }),
  google("texts cut at 12 letters with dots", {
    item: set(4, (text) => `${wordsIn(text).slice(0, 12)}…`),
  }),
  google("texts escaped", { ...report, item: set(4, (text) => escapeHtml(wordsIn(text))) }),
  google("author inside of the text", {
    ...report,
    item: set(4, (text, item) => `${asItems(item[1])[0]}: ${text}`),
  }),
  google("texts in capitals", { item: set(4, (text) => wordsIn(text).toUpperCase()) }),
  google("a third of the texts translated", {
    ...report,
    item: (item, index) =>
      index % 3 === 0 ? item.with(4, `Übersetzt: ${wordsIn(item[4]).length}`) : item,
  }),
  google("texts replaced by a summary, the text at the end", {
    ...report,
    item: (item) => [...item.with(4, `About ${wordsIn(item[4]).length} letters`), item[4]],
  }),
  google("texts gone", { item: set(4, () => null) }),
  google("texts of the review below", {
    list: (items) =>
      items.map((item, index) =>
        asItems(item).with(4, asItems(items[(index + 1) % items.length])[4]),
      ),
  }),
  google("reply and text swapped where there is a reply", {
    ...report,
    item: (item) => {
      const reply = asItems(item[7]);
      return reply.length > 0 ? item.with(4, reply[1]).with(7, reply.with(1, item[4])) : item;
    },
  }),
  google("date of the reply in the place of the date", {
    ...report,
    item: (item) => (asItems(item[7]).length > 0 ? item.with(5, asItems(item[7])[2]) : item),
  }),
  google("replies gone", { item: set(7, () => null) }),
  google("replies moved to the end", {
    ...report,
    item: (item) => [...item.with(7, null), item[7]],
  }),
  google("replies that are the texts", {
    item: set(7, (reply, item) => (reply ? asItems(reply).with(1, item[4]) : null)),
  }),
  google("dates seven hours later", { ...report, item: seconds((at) => at + 7 * 3_600) }),
  google("dates a day earlier", { item: seconds((at) => at - 86_400) }),
  google("dates in milliseconds", { ...report, item: seconds((at) => at * 1_000) }),
  google("dates as text", { ...report, item: seconds((at) => String(at)) }),
  google("dates in words", {
    item: set(5, (date) => new Date(Number(asItems(date)[0]) * 1_000).toISOString()),
  }),
  google("dates without nanoseconds", { ...report, item: set(5, (date) => [asItems(date)[0]]) }),
  google("dates in full hours", { item: seconds((at) => at - (at % 3_600)) }),
  google("dates gone", { item: set(5, () => null) }),
  google("dates of the latest review", {
    list: (items) => items.map((item) => asItems(item).with(5, asItems(items[0])[5])),
  }),
  google("seven hours later and stars inverted", {
    item: (item) => seconds((at) => at + 25_200)(set(2, (stars) => 6 - Number(stars))(item)),
  }),
  google("ids with a prefix", { ...report, item: set(0, (id) => `r1-${id}`) }),
  google("ids of another kind", {
    ...report,
    item: set(0, (id) => `gp:AOqp${wordsIn(id).replaceAll("-", "").slice(0, 20)}9`),
  }),
  google("ids and versions swapped", { item: swap(0, 10) }),
  google("ids in capitals", { item: set(0, (id) => wordsIn(id).toUpperCase()) }),
  google("authors masked", {
    ...report,
    item: set(1, (author) => asItems(author).with(0, mask(wordsIn(asItems(author)[0])))),
  }),
  google("authors replaced by the developer", {
    ...report,
    item: set(1, (author) => asItems(author).with(0, "Sample Makers")),
  }),
  google("authors replaced by an id", {
    ...report,
    item: set(1, (author, item) => asItems(author).with(0, item[0])),
  }),
  google("authors without a list", { item: set(1, (author) => asItems(author)[0]) }),
  google("the system's version in the place of the app's", {
    ...report,
    item: set(10, (_, item) => String(9 + (Number(item[6]) % 4))),
  }),
  google("versions gone", { item: set(10, () => null) }),
  google("another count in the place of the votes", {
    ...report,
    item: set(6, (votes, item) => (Number(item[2]) * 3 + 1 - Number(votes) + 9) % 11),
  }),
  google("votes as text", { item: set(6, (votes) => String(votes)) }),
  google("each review in a list", { item: (item) => [item] }),
  google("the list in a list", { payload: ([list, ...rest]) => [[list], ...rest] }),
  google("the payload in a list", { ...report, payload: (payload) => [payload] }),
  google("an object in place of the list", {
    ...report,
    payload: ([list, ...rest]) => [Object.fromEntries(asItems(list).entries()), ...rest],
  }),
  google("an empty list before the list", { ...report, payload: (payload) => [[], ...payload] }),
  google("the list behind another block", { payload: (payload) => [null, ["new"], ...payload] }),
  google("the token before the list", { payload: ([list, gap, token]) => [token, gap, list] }),
  google("three old reviews before the list", {
    ...report,
    payload: ([list, ...rest]) => [asItems(list).slice(-3), ...rest, list],
  }),
  google("a short list of the best before the list", {
    payload: ([list, ...rest]) => [
      asItems(list).filter((_, index) => index % 9 === 8),
      list,
      ...rest,
    ],
  }),
  google("half of the items unreadable", {
    ...report,
    item: (item, index) => (index % 2 === 0 ? item.with(2, { stars: item[2] }) : item),
  }),
  google("half of the items in another form", {
    item: (item, index) => (index % 2 === 0 ? [null, ...item] : item),
  }),
  google("the oldest first", { list: (items) => items.toReversed() }),
  google("in no order", { ...report, list: (items) => [...items.slice(7), ...items.slice(0, 7)] }),
  google("the list cut to its second half", {
    list: (items) => items.slice(Math.ceil(items.length / 2)),
  }),
  google("the list empty", { list: () => [] }),
  // Twelve more (with those of the App Store), written from the stores' formats alone, before the judgement was read.
  google("stars in three steps", {
    ...report,
    item: set(2, (stars) => (Number(stars) < 3 ? 1 : Number(stars) > 3 ? 5 : 3)),
  }),
  google("replies as reviews of their own", {
    ...report,
    list: (items) =>
      items.flatMap((one) => {
        const item = asItems(one);
        const [developer, text, date] = asItems(item[7]);
        if (typeof text !== "string") return [item];
        const own = item.with(0, `${item[0]}-1`).with(1, [developer, asItems(item[1])[1]]);
        return [own.with(4, text).with(5, date).with(6, 0).with(7, null), item.with(7, null)];
      }),
  }),
  google("reviews of a suggested app before the list", {
    ...report,
    payload: ([list, ...rest]) => [
      asItems(list).map((one, index) =>
        asItems(one)
          .with(0, wordsIn(asItems(one)[0]).replace(/^.{4}/, "beef"))
          .with(1, [`Stranger ${index}`])
          .with(4, `Another app, opinion ${index}`),
      ),
      ...rest,
      list,
    ],
  }),
  google("typographic apostrophes in the texts", {
    ...report,
    item: set(4, (text) => wordsIn(text).replaceAll("'", "\u2019")),
  }),
  google("a translation in the place of the text, the original in that of the title", {
    ...report,
    item: (item) => item.with(3, item[4]).with(4, `Traducido: ${wordsIn(item[4]).length} letras`),
  }),
  google("reviews in groups by stars", {
    ...report,
    list: (items) =>
      [5, 4, 3, 2, 1].map((stars) => [stars, items.filter((item) => asItems(item)[2] === stars)]),
  }),
  google("codes in the place of the versions", {
    ...report,
    item: set(10, (version) => wordsIn(version).replaceAll(".", "0")),
  }),
];
