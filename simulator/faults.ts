// The table of everything that a store does instead of answering well, and of every odd spelling of
// a good answer. A fault turns the good answer into the bad one, whoever wrote it.
import { type Answer, htmlAnswer } from "./answer.ts";
import {
  editBatch,
  editDetails,
  editFeed,
  type Fields,
  moveToTrailingObject,
} from "./answer-edit.ts";

export type FaultName = keyof typeof faults;

export type FaultDetail = {
  /** Seconds or an HTTP date, for `too_many` and `forbidden`. */
  retryAfter?: string;
  /** For `redirect`. */
  location?: string;
};

export function spoil(answer: Answer, fault: { name: FaultName } & FaultDetail): Answer {
  return faults[fault.name](answer, fault);
}

const faults = {
  /** No entries, while the paging links promise more. */
  hole: (answer: Answer) =>
    editBatch(
      editFeed(answer, (feed) => delete feed["entry"]),
      (payload) => [[], ...payload.slice(1)],
    ),
  /** Everything is empty, for everyone on this network. */
  network_block: (answer: Answer) =>
    editBatch(
      editFeed(answer, (feed) => {
        feed["entry"] = null;
        for (const link of linksOf(feed)) link["href"] = "";
      }),
      () => null,
    ),
  forbidden: (_: Answer, { retryAfter }: FaultDetail) => refused(403, retryAfter),
  too_many: (_: Answer, { retryAfter }: FaultDetail) => refused(429, retryAfter),
  server_error: () => htmlAnswer(502, "<html><body><h1>502 Bad Gateway</h1></body></html>"),
  html_instead: () => htmlAnswer(200, "<html><body>Connecting to the store…</body></html>"),
  cut: (answer: Answer) => ({ ...answer, ending: "cut" as const }),
  stalled: (answer: Answer) => ({ ...answer, ending: "stalled" as const }),
  captcha: () =>
    htmlAnswer(
      200,
      "<html><body>Our systems have detected unusual traffic from your computer network." +
        '<div class="g-recaptcha"></div></body></html>',
    ),
  gateway_error: () => ({
    status: 200,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: `)]}'\n\n[["wrb.fr",null,null,null,null,[13,null,[["type.googleapis.com/com.google.play.gateway.proto.PlayGatewayError",[null,7]]]],"generic"]]`,
  }),
  redirect: (_: Answer, { location }: FaultDetail) => ({
    status: 302,
    headers: { location: location ?? "/sorry/index" },
    body: "",
  }),
  /** The app itself stands before its reviews, as in feeds of old. */
  app_entry_first: (answer: Answer) =>
    editFeed(answer, (feed) => {
      feed["entry"] = [{ "im:name": { label: "Sample" }, id: { label: "1" } }, ...entriesOf(feed)];
    }),
  /** Entries without a date, as in feeds of old. */
  undated: (answer: Answer) =>
    editFeed(answer, (feed) => {
      for (const entry of entriesOf(feed)) delete entry["updated"];
    }),
  /** Five stars last, where they are always first. */
  reversed_histogram: (answer: Answer) => ({
    ...answer,
    body: answer.body.replace(
      /"ratingCounts":\[([^\]]*)\]/,
      (_, counts: string) => `"ratingCounts":[${counts.split(",").reverse().join(",")}]`,
    ),
  }),
  /** Length lines before every chunk, the reviews in the first. */
  chunked_framing: (answer: Answer) => {
    const frames = answer.body.slice(answer.body.indexOf("["));
    const end = '[["e",4,null,null,131]]';
    const body = `)]}'\n\n${frames.length}\n${frames}\n${end.length}\n${end}`;
    return { ...answer, body };
  },
  /** Only one of the two calls is answered. */
  frame_missing: (answer: Answer) =>
    answer.body.includes('"oCPfdb"')
      ? { ...answer, body: `)]}'\n\n[["di",12],["af.httprm",12,"0",1]]` }
      : answer,
  /** Reviews as they were in 2021. */
  short_arrays: (answer: Answer) =>
    editBatch(answer, (payload) => [
      itemsOf(payload[0]).map((review, index) => itemsOf(review).slice(0, index % 2 ? 13 : 15)),
      ...payload.slice(1),
    ]),
  /** The token of every page is that of the first. */
  token_cycle: (answer: Answer) =>
    editBatch(answer, (payload) => [payload[0], null, [null, "again-and-again"]]),
  /** Version, ratings and date of update in the object at the end. */
  trailing_object: (answer: Answer) => editDetails(answer, moveToTrailingObject),
  /** The blocks broken: only the ld+json summary is left. */
  no_blocks: (answer: Answer) => ({
    ...answer,
    body: answer.body.replaceAll("AF_initDataCallback", "AF_initElsewhere"),
  }),
} satisfies Record<string, (answer: Answer, detail: FaultDetail) => Answer>;

function refused(status: number, retryAfter: string | undefined): Answer {
  const page = htmlAnswer(status, `<html><body><h1>${status}</h1></body></html>`);
  if (retryAfter === undefined) return page;
  return { ...page, headers: { ...page.headers, "retry-after": retryAfter } };
}

function entriesOf(feed: Fields): Fields[] {
  const entry = feed["entry"];
  if (entry === undefined || entry === null) return [];
  return (Array.isArray(entry) ? entry : [entry]) as Fields[];
}

/** The attributes of the four paging links. */
function linksOf(feed: Fields): Fields[] {
  const links = (feed["link"] ?? []) as { attributes: Fields }[];
  const paging = ["first", "last", "previous", "next"];
  return links
    .map(({ attributes }) => attributes)
    .filter((link) => paging.includes(String(link["rel"])));
}

function itemsOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
