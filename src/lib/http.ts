// The type of HTTP requests to the outside. Failures are values; every size and time has a limit.

export type HttpRequest = {
  method: "GET" | "POST" | "DELETE";
  url: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** The limit for the response after decompression; the client's own limit when left out. */
  bodyBytesMax?: number;
  /**
   * Takes the body of a response of status 200 as it arrives, within the limit, instead of having all of it
   * in memory; the response's own body is then empty. It may stop before the end.
   */
  readBody?: (chunks: AsyncIterable<Buffer>) => Promise<void>;
  /** Asked right before the request is sent, which may have waited for its turn: false leaves it unsent. */
  isStillWanted?: () => boolean;
  /** Asks for details that a caller can do without: a refusal is not counted against the host. */
  isAside?: boolean;
};

export type HttpResult =
  | {
      kind: "response";
      status: number;
      /** Names in lower case; several values of one are joined, those of `set-cookie` by line breaks. */
      headers: Readonly<Record<string, string>>;
      /** Decompressed, within the limit. */
      body: Buffer;
      /** After redirects. */
      url: string;
    }
  | {
      kind: "failed";
      reason: HttpFailure;
      detail: string;
      /** For a request that was not sent: when it may be. */
      retryAfterMs?: number;
    };

/**
 * `redirected`: to a host that is not allowed, or too often. `not_sent`: held back by our own rules. `detail` says the rest, in
 * words that follow the name of the host.
 */
export type HttpFailure =
  | "network"
  | "timeout"
  | "too_large"
  | "truncated"
  | "redirected"
  | "not_sent";

export type Http = (request: HttpRequest) => Promise<HttpResult>;
