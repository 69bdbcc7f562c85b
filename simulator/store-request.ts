// Reads a request as the stores do: which endpoint it asks, for which app, where and which page.

export const requestKinds = [
  "rss",
  "lookup",
  "product-page",
  "play-reviews",
  "play-details",
] as const;
export type RequestKind = (typeof requestKinds)[number];

export type StoreRequest = {
  kind: RequestKind;
  /** The first one, where several may be asked. */
  externalAppId: string;
  /** Storefront, or the base language for reviews of Google Play, as asked, in lower case. */
  region: string;
  /** From 1; the page of a token is known by whoever issued the token. */
  page: number;
  url: URL;
  /** Set for reviews of Google Play only. */
  batch: BatchCall | null;
};

export type BatchCall = { rpcId: string; pageSize: number; token: string | null };

/** null: no endpoint of a store. */
export function readStoreRequest(incoming: {
  method: string;
  url: URL;
  body: string;
}): StoreRequest | null {
  const { method, url, body } = incoming;
  const segments = url.pathname.split("/").filter((segment) => segment !== "");
  if (method === "POST") return readBatchRequest(url, body);
  if (method !== "GET") return null;
  if (segments.includes("customerreviews")) return readFeedRequest(url, segments);
  if (url.pathname === "/lookup") {
    const id = (url.searchParams.get("id") ?? "").split(",")[0] ?? "";
    return plainRequest("lookup", { url, id, region: url.searchParams.get("country") ?? "us" });
  }
  if (url.pathname === "/store/apps/details") {
    const id = url.searchParams.get("id") ?? "";
    return plainRequest("play-details", { url, id, region: url.searchParams.get("gl") ?? "us" });
  }
  const productId = segments.at(-1)?.match(/^id(\d+)$/)?.[1];
  if (productId && segments[1] === "app") {
    return plainRequest("product-page", { url, id: productId, region: segments[0] ?? "us" });
  }
  return null;
}

/** `/{cc}/rss/customerreviews/page=1/id=2/sortby=mostrecent/json`, in any order and case. */
function readFeedRequest(url: URL, segments: string[]): StoreRequest | null {
  if (segments.at(-1) !== "json") return null;
  const fields = new Map(
    segments.map((segment) => {
      const [name = "", value = ""] = segment.split("=");
      return [name.toLowerCase(), value] as const;
    }),
  );
  const region = segments[0] === "rss" ? url.searchParams.get("cc") : segments[0];
  return {
    ...plainRequest("rss", { url, id: fields.get("id") ?? "", region: region ?? "us" }),
    page: Number(fields.get("page") ?? "1"),
  };
}

function readBatchRequest(url: URL, body: string): StoreRequest | null {
  if (url.pathname !== "/_/PlayStoreUi/data/batchexecute") return null;
  const envelope = parseJson(new URLSearchParams(body).get("f.req") ?? "");
  const rpcId = itemAt(envelope, 0, 0, 0);
  const inner = parseJson(String(itemAt(envelope, 0, 0, 1)));
  // One of the two calls has a leading null more than the other.
  const options = itemAt(inner, rpcId === "oCPfdb" ? 1 : 2);
  const app = itemAt(inner, rpcId === "oCPfdb" ? 2 : 3);
  const language = (url.searchParams.get("hl") ?? "en").split("-")[0] ?? "en";
  const token = itemAt(options, 2, 2);
  return {
    ...plainRequest("play-reviews", { url, id: String(itemAt(app, 0)), region: language }),
    batch: {
      rpcId: String(rpcId),
      pageSize: Number(itemAt(options, 2, 0)),
      token: typeof token === "string" ? token : null,
    },
  };
}

function plainRequest(
  kind: RequestKind,
  facts: { url: URL; id: string; region: string },
): StoreRequest {
  return {
    kind,
    externalAppId: facts.id,
    region: facts.region.toLowerCase(),
    page: 1,
    url: facts.url,
    batch: null,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function itemAt(value: unknown, ...path: number[]): unknown {
  return path.reduce<unknown>((item, index) => (Array.isArray(item) ? item[index] : null), value);
}
