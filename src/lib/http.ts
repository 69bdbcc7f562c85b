// What a room may ask of the outside over HTTP. Failures are values; every size and time has a limit.

export type HttpRequest = {
  method: "GET" | "POST";
  url: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** Of the answer, after decompression; the client's own limit when left out. */
  bodyBytesMax?: number;
};

export type HttpAnswer =
  | {
      kind: "answer";
      status: number;
      /** Names in lower case. */
      headers: Readonly<Record<string, string>>;
      /** Decompressed, within the limit. */
      body: Buffer;
      /** Where it came from after redirects. */
      url: string;
    }
  | { kind: "failed"; reason: HttpFailure; detail: string };

/** `redirected`: to a host that is not allowed, `detail` names it. `resting`: not sent, by our own choice. */
export type HttpFailure =
  | "network"
  | "timeout"
  | "too_large"
  | "truncated"
  | "redirected"
  | "resting";

export type Http = (request: HttpRequest) => Promise<HttpAnswer>;
