// What the simulator is about to send, before the switches have had their say.

export type StoreResponse = {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Sent instead of the body, where it is no text in UTF-8. */
  bytes?: Buffer;
  /** `cut`: the connection breaks in the middle of the body. `stalled`: it stays open and silent. */
  ending?: "cut" | "stalled";
  /** Between two pieces of the body; all at once when left out. */
  drip?: { pieces: number; pauseMs: number };
};

/** Apple sends JSON under this type. */
export function scriptResponse(status: number, body: string): StoreResponse {
  return { status, headers: { "content-type": "text/javascript; charset=UTF-8" }, body };
}

export function htmlResponse(status: number, body: string): StoreResponse {
  return { status, headers: { "content-type": "text/html; charset=utf-8" }, body };
}

export function errorResponse(status: number, words: string): StoreResponse {
  return htmlResponse(
    status,
    `<!doctype html><html><body><h1>${status}</h1>${words}</body></html>`,
  );
}
