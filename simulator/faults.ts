// The table of everything that a store does instead of answering well, and of every odd spelling of
// a good answer. A fault turns the good answer into the bad one, whoever wrote it.

import { appleFaults } from "./apple-faults.ts";
import { playFaults } from "./play-faults.ts";
import { htmlResponse, type StoreResponse } from "./store-response.ts";

export type FaultName = keyof typeof faults;

/** Every switch there is. */
export const faultNames = (): FaultName[] => Object.keys(faults) as FaultName[];

export type FaultDetail = {
  /** Seconds or an HTTP date, for `too_many` and `forbidden`. */
  retryAfter?: string;
  /** For `redirect`. */
  location?: string;
  /** For `stale_copy`, as the feed writes it. */
  madeAt?: string;
  /** For `slow`. */
  pauseMs?: number;
  /** For `refused`. */
  status?: number;
};

export function applyFault(
  answer: StoreResponse,
  fault: { name: FaultName } & FaultDetail,
): StoreResponse {
  return faults[fault.name](answer, fault);
}

export type FaultTable = Record<
  string,
  (answer: StoreResponse, detail: FaultDetail) => StoreResponse
>;

/** Those of the wire, whatever was asked. */
const wireFaults = {
  forbidden: (_: StoreResponse, { retryAfter }: FaultDetail) => refused(403, retryAfter),
  too_many: (_: StoreResponse, { retryAfter }: FaultDetail) => refused(429, retryAfter),
  server_error: () => htmlResponse(502, "<html><body><h1>502 Bad Gateway</h1></body></html>"),
  html_instead: () => htmlResponse(200, "<html><body>Connecting to the store…</body></html>"),
  cut: (answer: StoreResponse) => ({ ...answer, ending: "cut" as const }),
  stalled: (answer: StoreResponse) => ({ ...answer, ending: "stalled" as const }),
  /** Ten pieces with a pause between them. */
  slow: (answer: StoreResponse, { pauseMs = 50 }: FaultDetail) => ({
    ...answer,
    drip: { pieces: 10, pauseMs },
  }),
  /** More than 8 MB, of which all but the beginning is blank. */
  oversized: (answer: StoreResponse) => ({ ...answer, body: answer.body + " ".repeat(8_500_000) }),
  empty_body: (answer: StoreResponse) => ({ ...answer, body: "" }),
  /** A status with nothing to read, e.g. 401 from an API. */
  refused: (_: StoreResponse, { status = 401 }: FaultDetail) => ({
    status,
    headers: { "content-type": "application/json" },
    body: status < 500 ? `{"errors":[{"status":"${status}","code":"${codes[status]}"}]}` : "",
  }),
  captcha: () =>
    htmlResponse(
      200,
      "<html><body>Our systems have detected unusual traffic from your computer network." +
        '<div class="g-recaptcha"></div></body></html>',
    ),
  redirect: (_: StoreResponse, { location }: FaultDetail) => ({
    status: 302,
    headers: { location: location ?? "/sorry/index" },
    body: "",
  }),
} satisfies FaultTable;

const faults = {
  ...wireFaults,
  ...appleFaults,
  ...playFaults,
  /** An empty page in the middle. */
  hole: (answer: StoreResponse) => playFaults.hole(appleFaults.hole(answer)),
  /** Everything is empty, for everyone on this network. */
  network_block: (answer: StoreResponse) =>
    playFaults.null_payload(appleFaults.network_block(answer)),
} satisfies FaultTable;

const codes: Readonly<Record<number, string>> = {
  400: "PARAMETER_ERROR.INVALID",
  401: "NOT_AUTHORIZED",
  403: "FORBIDDEN_ERROR",
  404: "NOT_FOUND",
  429: "RATE_LIMIT_EXCEEDED",
};

function refused(status: number, retryAfter: string | undefined): StoreResponse {
  const page = htmlResponse(status, `<html><body><h1>${status}</h1></body></html>`);
  if (retryAfter === undefined) return page;
  return { ...page, headers: { ...page.headers, "retry-after": retryAfter } };
}
