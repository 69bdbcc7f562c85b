// Why an attempt failed, in one sentence that a user understands.
import { cleanText } from "../../domain/clean-text.ts";
import { RefusedError, UnresolvedError } from "./connector.ts";

export type Failure = { reason: string; isTimeout: boolean };

const wordsOf = new Map([
  ["ECONNREFUSED", "the connection was refused"],
  ["ECONNRESET", "the connection was reset before an answer came"],
  ["EPIPE", "the connection was closed before an answer came"],
  ["UND_ERR_SOCKET", "the connection was closed before an answer came"],
  ["EHOSTUNREACH", "the host can't be reached"],
  ["ENETUNREACH", "the network can't be reached"],
  ["UND_ERR_HEADERS_OVERFLOW", "the answer's headers are too large"],
  ["CERT_HAS_EXPIRED", "the endpoint's certificate has expired"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "the endpoint's certificate is self-signed"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "the endpoint's certificate chain is self-signed"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "the endpoint's certificate chain is incomplete"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "the endpoint's certificate has an unknown issuer"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "the endpoint's certificate is for another host"],
]);

export function explainStatus(status: number): string {
  const isRedirect = status >= 300 && status < 400;
  return isRedirect ? `HTTP ${status}: redirects are not followed` : `HTTP ${status}`;
}

export function explainTimeout(timeoutMs: number): Failure {
  return { reason: `no answer within ${timeoutMs / 1_000} s`, isTimeout: true };
}

export function explainError(error: Error, timeoutMs: number): Failure {
  if (error instanceof RefusedError || error instanceof UnresolvedError)
    return { reason: error.message, isTimeout: false };
  const code = codeOf(error);
  if (code === "UND_ERR_CONNECT_TIMEOUT" || code === "ETIMEDOUT") return explainTimeout(timeoutMs);
  return { reason: wordsOf.get(code) ?? describe(error, code), isTimeout: false };
}

// Several addresses that all failed come as one error around theirs: the first speaks for them.
function codeOf(error: Error): string {
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (!(inner instanceof Error)) return "";
  // undici's parser names its reason only sometimes.
  if (inner.name === "HTTPParserError") return "HPE_";
  return "code" in inner && typeof inner.code === "string" ? inner.code : "";
}

function describe(error: Error, code: string): string {
  if (code.startsWith("HPE_")) return "the answer was not valid HTTP";
  if (/^(ERR_SSL|ERR_TLS|EPROTO)/.test(code)) return "no secure connection could be made (TLS)";
  return cleanText(`the request failed: ${code || error.message}`).slice(0, 200);
}
