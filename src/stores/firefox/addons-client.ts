// Requests to the public API of addons.mozilla.org, version 4, which is frozen. Every address is built here from ids, words and
// page numbers; links that the API sends are never followed.
import type { Clock } from "../../lib/clock.ts";
import type { Http, HttpResult } from "../../lib/http.ts";
import { isObject, parseJson, textAt, valueAt } from "../../lib/json.ts";
import type { RecentResults } from "../recent-results.ts";
import { checkResponse, unexpectedContent } from "../response-check.ts";
import type { UnknownOutcome } from "../store.ts";
import type { Addon } from "./addon.ts";

export type AddonsClient = {
  http: Http;
  clock: Clock;
  baseUrl: string;
  /** Add-ons by what they were asked for. */
  addons: RecentResults<Addon>;
};

export const addonsName = "Firefox Add-ons";

/** `note`: why the API shows nothing of it, in words. */
type Absent = { kind: "absent"; note?: string };
export type ApiResponse = { kind: "found"; json: unknown } | Absent | UnknownOutcome;

/** @param expected `an add-on`, for example */
export async function getJson(
  { http, baseUrl }: AddonsClient,
  request: { path: string; query?: Readonly<Record<string, string>>; expected: string },
): Promise<ApiResponse> {
  const { path, query = {}, expected } = request;
  const url = `${baseUrl}/api/v4/${path}?${new URLSearchParams(query)}`;
  const response = await http({ method: "GET", url, headers: { accept: "application/json" } });
  const hidden = findHidden(response);
  if (hidden) return hidden;
  const checked = checkResponse(response, { store: addonsName, accepted: [404] });
  if (checked.kind === "failed") return checked.outcome;
  const json = parseJson(checked.text);
  // Proxies and blocks say 404, too, and not in the API's form.
  if (checked.status === 404 && textAt(json, "detail") !== null) return { kind: "absent" };
  const isFound = checked.status === 200 && isObject(json);
  return isFound ? { kind: "found", json } : unexpectedContent(addonsName, expected);
}

/** Add-ons that are not public are refused with the same statuses as blocked clients, and with a reason. */
function findHidden(response: HttpResult): Absent | null {
  if (response.kind !== "response" || ![401, 403].includes(response.status)) return null;
  const json = parseJson(response.body.toString("utf8"));
  const [byDeveloper, byStore] = ["developer", "mozilla"].map((one) =>
    valueAt(json, `is_disabled_by_${one}`),
  );
  if (typeof byDeveloper !== "boolean" || typeof byStore !== "boolean") return null;
  const why = byDeveloper ? "its developer disabled it" : "Mozilla disabled it";
  return { kind: "absent", note: byDeveloper || byStore ? why : "it is not public" };
}
