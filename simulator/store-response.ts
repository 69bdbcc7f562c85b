// A response of a simulated store before faults are applied to it.

export type FaultDetail = {
  /** Seconds or an HTTP date, for `too_many` and `forbidden`. */
  retryAfter?: string;
  /** For `redirect`. */
  location?: string;
  /** For `stale_copy`, as the feed writes it. */
  madeAt?: string;
  /** For `clock_step`: how far the store's clock is ahead, or behind if negative. */
  stepMs?: number;
  /** For `slow`. */
  pauseMs?: number;
  /** For `refused`. */
  status?: number;
  /** The request does not reach the store; without it only the response is faulty. */
  isLost?: boolean;
};

export type FaultTable = Record<
  string,
  (response: StoreResponse, detail: FaultDetail) => StoreResponse
>;

export type StoreResponse = {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Sent instead of `body` where the content is not UTF-8 text. */
  bytes?: Buffer;
  /**
   * `cut`: the connection breaks in the middle of the body. `stalled`: it stays open and silent. `hung`: so
   * it does before the first byte.
   */
  ending?: "cut" | "stalled" | "hung";
  /** Sends the body in pieces with a pause between them; without it all at once. */
  drip?: { pieces: number; pauseMs: number };
};

/** Apple sends its JSON with this content type. */
export function scriptResponse(status: number, body: string): StoreResponse {
  return { status, headers: { "content-type": "text/javascript; charset=UTF-8" }, body };
}

export function htmlResponse(status: number, body: string): StoreResponse {
  return { status, headers: { "content-type": "text/html; charset=utf-8" }, body };
}

export function errorResponse(status: number, message: string): StoreResponse {
  return htmlResponse(
    status,
    `<!doctype html><html><body><h1>${status}</h1>${message}</body></html>`,
  );
}
