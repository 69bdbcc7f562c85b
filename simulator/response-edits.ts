// Decodes a good response, lets an edit change its content and encodes it again in the same framing.
// A response of another kind is returned unchanged.
import type { StoreResponse } from "./store-response.ts";

export type Fields = Record<string, unknown>;

export function editFeed(response: StoreResponse, edit: (feed: Fields) => unknown): StoreResponse {
  return editJson(response, (json) => {
    const feed = (json as { feed?: Fields } | null)?.feed;
    if (!feed) return null;
    edit(feed);
    return json;
  });
}

/** For a feed as XML; a response of another kind stays unchanged. */
export function editFeedXml(response: StoreResponse, edit: (xml: string) => string): StoreResponse {
  return /<feed\b/.test(response.body) ? { ...response, body: edit(response.body) } : response;
}

/** An edit that returns null leaves the response unchanged. */
export function editJson(response: StoreResponse, edit: (json: unknown) => unknown): StoreResponse {
  if (response.status !== 200 || !/^\s*\{/.test(response.body)) return response;
  const edited = edit(JSON.parse(response.body));
  return edited === null ? response : { ...response, body: JSON.stringify(edited) };
}

/** Edits the payload of a batchexecute response; an edit may return null for an empty payload. */
export function editBatch(
  response: StoreResponse,
  edit: (payload: unknown[]) => unknown,
): StoreResponse {
  const frames = framesOf(response);
  const frame = frames?.find((candidate) => candidate[0] === "wrb.fr");
  if (!frames || !frame) return response;
  const payload = frame[2] === null ? [] : (JSON.parse(String(frame[2])) as unknown[]);
  const edited = edit(payload);
  frame[2] = edited === null ? null : JSON.stringify(edited);
  return { ...response, body: `)]}'\n\n${JSON.stringify(frames)}` };
}

/** The next-page token inside a batchexecute response. */
export function nextPageToken(response: StoreResponse): string | null {
  let token: unknown = null;
  editBatch(response, (payload) => {
    token = (payload.at(-1) as unknown[] | null)?.[1] ?? (payload[1] as unknown[] | null)?.[1];
    return payload;
  });
  return typeof token === "string" ? token : null;
}

function framesOf(response: StoreResponse): unknown[][] | null {
  if (response.status !== 200 || !response.body.startsWith(")]}'")) return null;
  return JSON.parse(response.body.slice(response.body.indexOf("["))) as unknown[][];
}

/** Edits the fields of the block that holds the app on a details page. */
export function editDetails(
  response: StoreResponse,
  edit: (fields: unknown[]) => unknown[],
): StoreResponse {
  const body = response.body.replace(
    /(key: 'ds:5'.*?data:)(.*?)(, sideChannel)/s,
    (_, before: string, json: string, after: string) => {
      const data = JSON.parse(json) as [unknown, [unknown, unknown, unknown[]]];
      data[1][2] = edit(data[1][2]);
      return before + JSON.stringify(data).replaceAll("<", "\\u003c") + after;
    },
  );
  return { ...response, body };
}

/** Field n of the array is field n + 1 of the object. */
export function moveToTrailingObject(fields: unknown[]): unknown[] {
  const moved = [51, 140, 145];
  const trailing = Object.fromEntries(moved.map((index) => [String(index + 1), fields[index]]));
  return [...fields.map((field, index) => (moved.includes(index) ? null : field)), trailing];
}
