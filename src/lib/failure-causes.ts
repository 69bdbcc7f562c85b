// Why another system can't be used, in one sentence with one cause for each kind of failure. Everything that talks to
// others explains errors by it, so that the same fault has the same words everywhere, from a webhook to the mail server.
import { getSystemErrorMap } from "node:util";
import { errorCode } from "./errors.ts";
import { type FailureCause, findSentence, http2Alone, noTls } from "./failure-sentences.ts";
import { ProxyAnswer } from "./proxy-answer.ts";
import { secondMs } from "./timestamp.ts";

export type FailureReason = { cause: FailureCause; reason: string };

/** `who` is the other system, which the sentence names, such as "the endpoint". */
type Circumstances = { who: string; timeoutMs: number };

/** The proxy on the way failed, not the system behind it. */
export class ProxyError extends Error {
  constructor(cause: unknown) {
    super("the proxy can't be used", { cause });
  }
}

/** The sentence of an error of Node.js, OpenSSL, undici or a driver. */
export function explainFailure(error: unknown, circumstances: Circumstances): FailureReason {
  if (error instanceof ProxyError) {
    if (error.cause instanceof ProxyAnswer) return explainProxyAnswer(error.cause);
    const { cause, reason } = explainFailure(error.cause, { ...circumstances, who: "the proxy" });
    return { cause, reason: `OUTGOING_PROXY can't be used: ${reason}` };
  }
  const causes = listCauses(error);
  // The end of a connection says less than the error that ended it.
  const specific = causes.filter((one) => errorCode(one) !== "UND_ERR_SOCKET");
  for (const one of [...specific, ...causes]) {
    const known = explainError(one, circumstances);
    if (known !== null) return known;
  }
  const [text = ""] = (causes[0]?.message || errorCode(error) || String(error)).split("\n", 1);
  return { cause: "other", reason: text.slice(0, 200) };
}

export function explainTimeout(timeoutMs: number): FailureReason {
  return { cause: "timeout", reason: `no answer within ${timeoutMs / secondMs} s` };
}

function explainError(error: Error, circumstances: Circumstances): FailureReason | null {
  const { who } = circumstances;
  const code = "originalCode" in error ? String(error.originalCode) : errorCode(error);
  // A proxy's own answers, and undici's for interim ones, have the code of what they end.
  const byMessage = explainMessage(error);
  if (byMessage !== null) return byMessage;
  const found = findSentence(isLookUp(error) && code === "ECONNREFUSED" ? "EREFUSED" : code);
  if (found?.cause === "timeout") return explainTimeout(circumstances.timeoutMs);
  if (found) {
    const { cause, sentence } = found;
    const host = "hostname" in error ? String(error.hostname) : `of ${who}`;
    const reason = sentence.replace("{who}", who).replace("{host}", host).replace("{code}", code);
    return { cause, reason };
  }
  if (
    /^(ERR_SSL|ERR_TLS|EPROTO|ETLS|EREQUIRETLS$)/.test(code) ||
    /SSL routines/.test(error.message)
  )
    return { cause: "tls", reason: `${noTls}${wordsOf(code)}` };
  if (error.name === "HTTPParserError" || code.startsWith("HPE_"))
    return { cause: "protocol", reason: explainParser(error, who) };
  if (/certificate/i.test(error.message)) {
    const reason = `${who}'s certificate can't be trusted (${code})`;
    return { cause: "certificate", reason };
  }
  return explainSystemError(error, code);
}

const isLookUp = (error: Error): boolean =>
  "syscall" in error && /^(query|getaddrinfo)/.test(String(error.syscall));

/** OpenSSL's reason, of which Node makes a code: `: unsafe legacy renegotiation disabled`. */
function wordsOf(code: string): string {
  const [, reason] = /^ERR_(?:SSL|TLS)_(?:(?:SSLV3|TLSV1|TLSV13|SSL\/TLS)_)?(.+)$/.exec(code) ?? [];
  return reason === undefined ? "" : `: ${reason.toLowerCase().replaceAll("_", " ")}`;
}

function explainMessage({ message }: Error): FailureReason | null {
  if (message === "bad upgrade")
    return { cause: "protocol", reason: "the answer switches to another protocol" };
  if (message === "bad response")
    return { cause: "protocol", reason: "an answer came before its request" };
  // undici's error for plain HTTP.
  if (message === "Proxy Authentication Required (407)") return wrongProxyCredentials;
  return null;
}

const wrongProxyCredentials: FailureReason = {
  cause: "credentials",
  reason: "OUTGOING_PROXY doesn't accept the credentials (HTTP 407)",
};

function explainProxyAnswer({ status, detail }: ProxyAnswer): FailureReason {
  if (status === 407) return wrongProxyCredentials;
  const why = detail === null ? "" : `: ${detail}`;
  return { cause: "refused", reason: `OUTGOING_PROXY answers HTTP ${status}${why}` };
}

/** The bytes at which the parser stopped often say what answers instead of HTTP/1.1. */
function explainParser(error: Error, who: string): string {
  const data = "data" in error ? String(error.data) : "";
  // The frame of settings, with which HTTP/2 begins (RFC 9113, 6.5), and an alert of TLS (RFC 8446, 5.1).
  if (data.startsWith("\0\0") && data[3] === "\x04") return `${who} ${http2Alone}`;
  if (data.startsWith("\x15\x03"))
    return `${who} speaks TLS on this port: its URL must begin with https://`;
  const [, detail] = /\(([^)]{1,100})\)$/.exec(error.message) ?? [];
  return `the answer was not valid HTTP${detail === undefined ? "" : ` (${detail})`}`;
}

const systemErrors = new Map(getSystemErrorMap().values());

/** Node's message has the call and the path. */
function explainSystemError(error: Error, code: string): FailureReason | null {
  const words = systemErrors.get(code);
  if (words === undefined) return null;
  const [message = ""] = error.message.split("\n", 1);
  return { cause: "machine", reason: `this machine reports: ${words} (${message.slice(0, 150)})` };
}

// Several addresses that all failed come as one error around theirs: the first speaks for them.
function listCauses(error: unknown): Error[] {
  const found: Error[] = [];
  let one = error;
  while (one instanceof Error && found.length < 5) {
    found.push(one);
    one = one instanceof AggregateError ? one.errors[0] : one.cause;
  }
  return found;
}
