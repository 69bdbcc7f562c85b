// Opens a good answer, lets an edit change what is inside and closes it again in the same framing.
// An answer of another kind is returned as it is.
import type { StoreResponse } from "./store-response.ts";

export type Fields = Record<string, unknown>;

export function editFeed(answer: StoreResponse, edit: (feed: Fields) => unknown): StoreResponse {
  return editJson(answer, (json) => {
    const feed = (json as { feed?: Fields } | null)?.feed;
    if (!feed) return null;
    edit(feed);
    return json;
  });
}

/** Of a feed as XML; the text of an answer of another kind stays. */
export function editFeedXml(answer: StoreResponse, edit: (xml: string) => string): StoreResponse {
  return /<feed\b/.test(answer.body) ? { ...answer, body: edit(answer.body) } : answer;
}

/** An edit that returns null leaves the answer alone. */
export function editJson(answer: StoreResponse, edit: (json: unknown) => unknown): StoreResponse {
  if (answer.status !== 200 || !/^\s*\{/.test(answer.body)) return answer;
  const edited = edit(JSON.parse(answer.body));
  return edited === null ? answer : { ...answer, body: JSON.stringify(edited) };
}

/** The payload of a batchexecute answer; an edit may return null for "nothing". */
export function editBatch(
  answer: StoreResponse,
  edit: (payload: unknown[]) => unknown,
): StoreResponse {
  const frames = framesOf(answer);
  const frame = frames?.find((candidate) => candidate[0] === "wrb.fr");
  if (!frames || !frame) return answer;
  const payload = frame[2] === null ? [] : (JSON.parse(String(frame[2])) as unknown[]);
  const edited = edit(payload);
  frame[2] = edited === null ? null : JSON.stringify(edited);
  return { ...answer, body: `)]}'\n\n${JSON.stringify(frames)}` };
}

/** The next-page token inside a batchexecute answer. */
export function nextPageToken(answer: StoreResponse): string | null {
  let token: unknown = null;
  editBatch(answer, (payload) => {
    token = (payload.at(-1) as unknown[] | null)?.[1] ?? (payload[1] as unknown[] | null)?.[1];
    return payload;
  });
  return typeof token === "string" ? token : null;
}

function framesOf(answer: StoreResponse): unknown[][] | null {
  if (answer.status !== 200 || !answer.body.startsWith(")]}'")) return null;
  return JSON.parse(answer.body.slice(answer.body.indexOf("["))) as unknown[][];
}

/** The fields of the block that counts on a details page. */
export function editDetails(
  answer: StoreResponse,
  edit: (fields: unknown[]) => unknown[],
): StoreResponse {
  const body = answer.body.replace(
    /(key: 'ds:5'.*?data:)(.*?)(, sideChannel)/s,
    (_, before: string, json: string, after: string) => {
      const data = JSON.parse(json) as [unknown, [unknown, unknown, unknown[]]];
      data[1][2] = edit(data[1][2]);
      return before + JSON.stringify(data).replaceAll("<", "\\u003c") + after;
    },
  );
  return { ...answer, body };
}

/** Field n of the array is field n + 1 of the object. */
export function moveToTrailingObject(fields: unknown[]): unknown[] {
  const moved = [51, 140, 145];
  const trailing = Object.fromEntries(moved.map((index) => [String(index + 1), fields[index]]));
  return [...fields.map((field, index) => (moved.includes(index) ? null : field)), trailing];
}
