// All faults of the simulated stores by name, and all unusual forms of a good response. A fault is a
// function from the good response to the faulty one.

import { addonFaults } from "./addon-faults.ts";
import { appleFaults } from "./apple-faults.ts";
import { playFaults } from "./play-faults.ts";
import {
  type FaultDetail,
  type FaultTable,
  htmlResponse,
  type StoreResponse,
} from "./store-response.ts";

export type FaultName = keyof typeof faults;

/** The names that users type, in `starpost simulate --fault` and over HTTP. */
export const faultNames = (): FaultName[] => Object.keys(faults) as FaultName[];

export function applyFault(
  response: StoreResponse,
  fault: { name: FaultName } & FaultDetail,
): StoreResponse {
  return faults[fault.name](response, fault);
}

/** Faults of HTTP, the same for every endpoint. */
const wireFaults = {
  forbidden: (_: StoreResponse, { retryAfter }: FaultDetail) => refused(403, retryAfter),
  too_many: (_: StoreResponse, { retryAfter }: FaultDetail) => refused(429, retryAfter),
  server_error: () => htmlResponse(502, "<html><body><h1>502 Bad Gateway</h1></body></html>"),
  html_instead: () => htmlResponse(200, "<html><body>Connecting to the store…</body></html>"),
  cut: (response: StoreResponse) => ({ ...response, ending: "cut" as const }),
  stalled: (response: StoreResponse) => ({ ...response, ending: "stalled" as const }),
  /** Not one byte comes, and the connection stays open. */
  hang: (response: StoreResponse) => ({ ...response, ending: "hung" as const }),
  /** Ten pieces with a pause between them. */
  slow: (response: StoreResponse, { pauseMs = 50 }: FaultDetail) => ({
    ...response,
    drip: { pieces: 10, pauseMs },
  }),
  /** More than 8 MB: the good body and blanks. */
  oversized: (response: StoreResponse) => ({
    ...response,
    body: response.body + " ".repeat(8_500_000),
  }),
  empty_body: (response: StoreResponse) => ({ ...response, body: "" }),
  /** An error status without content, e.g. 401 of an API. */
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
  ...addonFaults,
  /** A gap: an empty page between full ones. */
  hole: (response: StoreResponse) => addonFaults.hole(playFaults.hole(appleFaults.hole(response))),
  /** Every feed is empty, as for a network that the store blocks. */
  network_block: (response: StoreResponse) =>
    addonFaults.network_block(playFaults.null_payload(appleFaults.network_block(response))),
  ...inAllStores(
    "moved_field",
    "wrong_type",
    "replaced_texts",
    "undated",
    "shuffled",
    "future_date",
    "clock_step",
    "foreign_feed",
  ),
} satisfies FaultTable;

type SharedFault = keyof typeof appleFaults & keyof typeof playFaults & keyof typeof addonFaults;

/** Faults with one name in all stores; each leaves the responses of the other stores as they are. */
function inAllStores<Name extends SharedFault>(
  ...names: readonly Name[]
): Record<Name, FaultTable[string]> {
  const table = names.map((name) => [
    name,
    (response: StoreResponse, detail: FaultDetail) =>
      [appleFaults, playFaults, addonFaults].reduce(
        (seen, table) => table[name](seen, detail),
        response,
      ),
  ]);
  return Object.fromEntries(table) as Record<Name, FaultTable[string]>;
}

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
