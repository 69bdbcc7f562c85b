// Serves a folder of recorded bodies by a map from request to file. A request that is not in the map gets
// the response of a store for an unknown app or for a page past the end.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../src/lib/clock.ts";
import { feedResponse, validateFeedRequest } from "./apple-feed.ts";
import { lookupResponse } from "./apple-lookup.ts";
import { batchResponse } from "./play-batch.ts";
import { editBatch, editJson, nextPageToken } from "./response-edits.ts";
import type { RequestKind, StoreRequest } from "./store-request.ts";
import {
  errorResponse,
  htmlResponse,
  type StoreResponse,
  scriptResponse,
} from "./store-response.ts";

/** The request of an entry; `page` matters for feeds and reviews only. */
export type ReplayKey = {
  kind: RequestKind;
  externalAppId: string;
  /** Storefront, `gl`, or the base language for reviews of Google Play; any when left out. */
  region?: string;
  /** From 1, the default. */
  page?: number;
};

export type ReplayEntry = ReplayKey & ({ file: string } | { body: string });

export class Replay {
  readonly #folder: string;
  readonly #entries: readonly ReplayEntry[];
  readonly #edits = new Map<ReplayEntry, (payload: unknown) => unknown>();
  /** The page that each issued token leads to. */
  readonly #pages = new Map<string, number>();

  constructor(recorded: { folder: string; entries: readonly ReplayEntry[] }) {
    this.#folder = recorded.folder;
    this.#entries = recorded.entries;
  }

  /**
   * From now on the body is served as the edit leaves it. The edit gets the parsed JSON (feeds and
   * lookups) or the payload inside the framing (reviews of Google Play) and returns its successor.
   */
  edit(key: ReplayKey, edit: (payload: unknown) => unknown): void {
    const entry = this.#entries.find((candidate) => isFor(candidate, withDefaults(key)));
    if (!entry) throw new RangeError(`no recorded ${key.kind} of ${key.externalAppId}`);
    this.#edits.set(entry, edit);
  }

  respond(request: StoreRequest, clock: Clock): StoreResponse {
    const token = request.batch?.token ?? null;
    const page = token === null ? request.page : this.#pages.get(token);
    const entry =
      page === undefined
        ? undefined
        : this.#entries.find((candidate) => isFor(candidate, { ...request, page }));
    if (!entry || page === undefined) return this.#respondToUnknown(request, clock);
    const response = this.#applyEdit(entry, recordedResponse(request.kind, this.#bodyOf(entry)));
    if (!request.batch) return response;
    const next = nextPageToken(response);
    if (next) this.#pages.set(next, page + 1);
    // Both calls have the same payload, so a recording of one serves for the other.
    const body = response.body.replace(/"wrb\.fr","\w+"/, `"wrb.fr","${request.batch.rpcId}"`);
    return { ...response, body };
  }

  #applyEdit(entry: ReplayEntry, response: StoreResponse): StoreResponse {
    const edit = this.#edits.get(entry);
    if (!edit) return response;
    return entry.kind === "play-reviews" ? editBatch(response, edit) : editJson(response, edit);
  }

  #bodyOf(entry: ReplayEntry): string {
    return "body" in entry ? entry.body : readFileSync(join(this.#folder, entry.file), "utf8");
  }

  #respondToUnknown(request: StoreRequest, clock: Clock): StoreResponse {
    switch (request.kind) {
      case "rss":
        return (
          validateFeedRequest(request) ??
          feedResponse({
            request,
            reviews: [],
            lastPage: this.#lastPage(request),
            madeAt: clock.now(),
          })
        );
      case "lookup":
      case "search":
        return lookupResponse([]);
      case "play-reviews":
        return batchResponse(request.batch?.rpcId ?? "", null);
      default:
        return errorResponse(404, "Not Found");
    }
  }

  /** 0 for an app that has no page at all. */
  #lastPage(request: StoreRequest): number {
    const pages = this.#entries
      .filter((entry) => isFor(entry, { ...request, page: entry.page ?? 1 }))
      .map((entry) => entry.page ?? 1);
    return Math.max(0, ...pages);
  }
}

function withDefaults(key: ReplayKey): { region: string | undefined; page: number } & ReplayKey {
  return { ...key, region: key.region ?? "", page: key.page ?? 1 };
}

function isFor(
  entry: ReplayEntry,
  request: Pick<StoreRequest, "kind" | "externalAppId" | "page"> & { region?: string | undefined },
): boolean {
  return (
    entry.kind === request.kind &&
    entry.externalAppId === request.externalAppId &&
    (entry.region === undefined || request.region === "" || entry.region === request.region) &&
    (entry.page ?? 1) === request.page
  );
}

function recordedResponse(kind: RequestKind, body: string): StoreResponse {
  if (["product-page", "play-details", "play-search", "customer-reviews"].includes(kind)) {
    return htmlResponse(200, body);
  }
  // Recorded errors are plain text.
  return scriptResponse(/^[\s)[{]/.test(body) ? 200 : 400, body);
}
