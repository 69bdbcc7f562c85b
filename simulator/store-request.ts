// Parses a request as the stores do: the endpoint, the app, the region and the page.

import { parseJson } from "../src/lib/json.ts";
import { appVersionOf } from "./connect-review.ts";

export const requestKinds = [
  "rss",
  "review-rows",
  "lookup",
  "search",
  "product-page",
  "customer-reviews",
  "connect-reviews",
  "connect-versions",
  "connect-version-reviews",
  "connect-answer",
  "connect-review",
  "connect-answering",
  "connect-withdrawal",
  "play-reviews",
  "play-details",
  "play-search",
  "google-token",
  "play-api",
  "play-review",
  "play-answering",
  "storage-list",
  "storage-object",
  "addon-ratings",
  "addon-details",
  "addon-search",
] as const;
export type RequestKind = (typeof requestKinds)[number];

export type StoreRequest = {
  kind: RequestKind;
  /** The first one where a request names several; "" where it names none. */
  externalAppId: string;
  /** Storefront, or the base language for reviews of Google Play, in lower case. */
  region: string;
  /** From 1; the page of a token is set by the issuer of the token. */
  page: number;
  url: URL;
  headers: RequestHeaders;
  body: string;
  /** Set for reviews of Google Play only. */
  batch: BatchCall | null;
  /** The format of the feed; "" elsewhere. */
  format: "json" | "xml" | "";
  sort: "mostrecent" | "mosthelpful" | "";
  /** The User-Agent. */
  agent: string;
};

export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

export type BatchCall = { rpcId: string; pageSize: number; token: string | null };

export type IncomingRequest = { method: string; url: URL; headers: RequestHeaders; body: string };

/** null: not an endpoint of a store. */
export function parseStoreRequest(incoming: IncomingRequest): StoreRequest | null {
  const found = findEndpoint(incoming);
  if (!found) return null;
  const { url, headers, body } = incoming;
  const agent = String(headers["user-agent"] ?? "");
  return {
    page: 1,
    batch: null,
    format: "",
    sort: "",
    ...found,
    region: found.region.toLowerCase(),
    url,
    headers,
    body,
    agent,
  };
}

/** The part known from the URL. */
export type Endpoint = Pick<StoreRequest, "kind" | "externalAppId" | "region"> &
  Partial<Pick<StoreRequest, "page" | "batch" | "format" | "sort">>;

function findEndpoint(incoming: IncomingRequest): Endpoint | null {
  const { method, url } = incoming;
  const segments = url.pathname.split("/").filter((segment) => segment !== "");
  if (method === "POST") {
    return parseBatchRequest(incoming) ?? parseTokenRequest(url) ?? parseAnswering(url);
  }
  if (method === "DELETE") return parseWithdrawal(url);
  if (method !== "GET") return null;
  return (
    parseFeedRequest(url, segments) ??
    parseApplePage(url, segments) ??
    parseQueryRequest(url) ??
    parseAddonsRequest(url) ??
    parseOfficialRequest(url, segments)
  );
}

function parseTokenRequest(url: URL): Endpoint | null {
  return url.pathname === "/token" ? { kind: "google-token", externalAppId: "", region: "" } : null;
}

/** These name no app, or one of Google Play. */
function parseAnswering({ pathname }: URL): Endpoint | null {
  if (pathname === "/v1/customerReviewResponses")
    return { kind: "connect-answering", externalAppId: "", region: "all" };
  const play = pathname.match(
    /^\/androidpublisher\/v3\/applications\/([^/]+)\/reviews\/[^/]+:reply$/,
  )?.[1];
  return play
    ? { kind: "play-answering", externalAppId: decodeURIComponent(play), region: "all" }
    : null;
}

function parseWithdrawal({ pathname }: URL): Endpoint | null {
  return /^\/v1\/customerReviewResponses\/[^/]+$/.test(pathname)
    ? { kind: "connect-withdrawal", externalAppId: "", region: "all" }
    : null;
}

/** `/{cc}/rss/customerreviews/page=1/id=2/sortby=mostrecent/json`, in any order and case. */
function parseFeedRequest(url: URL, segments: string[]): Endpoint | null {
  const format = segments.at(-1);
  if (!segments.includes("customerreviews") || (format !== "json" && format !== "xml")) return null;
  const fields = new Map(
    segments.map((segment) => {
      const [name = "", value = ""] = segment.split("=");
      return [name.toLowerCase(), value] as const;
    }),
  );
  const region = segments[0] === "rss" ? url.searchParams.get("cc") : segments[0];
  const isHelpful = fields.get("sortby")?.toLowerCase() === "mosthelpful";
  return {
    kind: "rss",
    externalAppId: fields.get("id") ?? "",
    region: region ?? "us",
    page: Number(fields.get("page") ?? "1"),
    format,
    sort: isHelpful ? "mosthelpful" : "mostrecent",
  };
}

function parseApplePage(url: URL, segments: string[]): Endpoint | null {
  if (url.pathname === "/WebObjects/MZStore.woa/wa/userReviewsRow") {
    const externalAppId = url.searchParams.get("id") ?? "";
    return { kind: "review-rows", externalAppId, region: url.searchParams.get("cc") ?? "us" };
  }
  const externalAppId = segments.at(-1)?.match(/^id(\d+)$/)?.[1];
  const region = segments[0] ?? "us";
  if (!externalAppId) return null;
  if (segments[1] === "app") return { kind: "product-page", externalAppId, region };
  if (segments[1] === "customer-reviews")
    return { kind: "customer-reviews", externalAppId, region };
  return null;
}

function parseQueryRequest({ pathname, searchParams: query }: URL): Endpoint | null {
  const country = query.get("country") ?? "us";
  const gl = query.get("gl") ?? "us";
  switch (pathname) {
    case "/lookup": {
      const externalAppId = (query.get("id") ?? "").split(",")[0] ?? "";
      return { kind: "lookup", externalAppId, region: country };
    }
    case "/search":
      return { kind: "search", externalAppId: "", region: country };
    case "/store/search":
      return { kind: "play-search", externalAppId: "", region: gl };
    case "/store/apps/details":
      return { kind: "play-details", externalAppId: query.get("id") ?? "", region: gl };
    default:
      return null;
  }
}

function parseAddonsRequest({ pathname, searchParams: query }: URL): Endpoint | null {
  const region = "001";
  if (pathname === "/api/v4/ratings/rating/") {
    const externalAppId = query.get("addon") ?? "";
    return { kind: "addon-ratings", externalAppId, region, page: Number(query.get("page") ?? "1") };
  }
  if (pathname === "/api/v4/addons/search/")
    return { kind: "addon-search", externalAppId: "", region };
  const addon = pathname.match(/^\/api\/v4\/addons\/addon\/([^/]+)\/$/)?.[1];
  return addon === undefined
    ? null
    : { kind: "addon-details", externalAppId: decodeURIComponent(addon), region };
}

function parseOfficialRequest({ pathname }: URL, segments: string[]): Endpoint | null {
  const connect = pathname.match(/^\/v1\/apps\/([^/]+)\/customerReviews$/)?.[1];
  if (connect) return { kind: "connect-reviews", externalAppId: connect, region: "all" };
  const versions = pathname.match(/^\/v1\/apps\/([^/]+)\/appStoreVersions$/)?.[1];
  if (versions) return { kind: "connect-versions", externalAppId: versions, region: "all" };
  const version = pathname.match(/^\/v1\/appStoreVersions\/([^/]+)\/customerReviews$/)?.[1];
  if (version) {
    const { externalAppId } = appVersionOf(version);
    return { kind: "connect-version-reviews", externalAppId, region: "all" };
  }
  if (/^\/v1\/customerReviews\/[^/]+\/response$/.test(pathname))
    return { kind: "connect-answer", externalAppId: "", region: "all" };
  if (/^\/v1\/customerReviews\/[^/]+$/.test(pathname))
    return { kind: "connect-review", externalAppId: "", region: "all" };
  const [, play, one] =
    pathname.match(/^\/androidpublisher\/v3\/applications\/([^/]+)\/reviews(\/[^/]+)?$/) ?? [];
  if (play) {
    const kind = one === undefined ? "play-api" : "play-review";
    return { kind, externalAppId: decodeURIComponent(play), region: "all" };
  }
  if (!pathname.startsWith("/storage/v1/b/") || segments[4] !== "o") return null;
  const kind = segments.length === 5 ? "storage-list" : "storage-object";
  return { kind, externalAppId: "", region: "all" };
}

// Reads a batchexecute call of Google Play: JSON inside a string inside JSON inside a form.

/** null: not a batchexecute call. */
export function parseBatchRequest({ url, body }: IncomingRequest): Endpoint | null {
  if (url.pathname !== "/_/PlayStoreUi/data/batchexecute") return null;
  const envelope = parseJson(new URLSearchParams(body).get("f.req") ?? "");
  const rpcId = itemAt(envelope, 0, 0, 0);
  const inner = parseJson(String(itemAt(envelope, 0, 0, 1)));
  // One of the two calls has one more leading null than the other.
  const options = itemAt(inner, rpcId === "oCPfdb" ? 1 : 2);
  const app = itemAt(inner, rpcId === "oCPfdb" ? 2 : 3);
  const token = itemAt(options, 2, 2);
  return {
    kind: "play-reviews",
    externalAppId: String(itemAt(app, 0)),
    region: (url.searchParams.get("hl") ?? "en").split("-")[0] ?? "en",
    batch: {
      rpcId: String(rpcId),
      pageSize: Number(itemAt(options, 2, 0)),
      token: typeof token === "string" ? token : null,
    },
  };
}

function itemAt(value: unknown, ...path: number[]): unknown {
  return path.reduce<unknown>((item, index) => (Array.isArray(item) ? item[index] : null), value);
}
