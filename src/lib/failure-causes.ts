// Why another system can't be used, in one sentence with one cause for each kind of failure. Everything that talks to
// others explains errors by it, so that the same fault has the same words everywhere, from a webhook to the mail server.
import { errorCode } from "./errors.ts";
import { secondMs } from "./timestamp.ts";

type FailureCause =
  | "name"
  | "refused"
  | "timeout"
  | "network"
  | "certificate"
  | "tls"
  | "credentials"
  | "permission"
  | "clock"
  | "size"
  | "address"
  | "protocol"
  | "other";

export type FailureReason = { cause: FailureCause; reason: string };

const untrusted = "; NODE_EXTRA_CA_CERTS can name a file with its authority";
const noTls = "no secure connection could be made (TLS)";

/** `{who}` is the other system, such as "the mail server". */
const sentences: Readonly<Record<string, [FailureCause, string]>> = {
  ECONNREFUSED: ["refused", "the connection was refused"],
  ECONNRESET: ["network", "the connection was reset before an answer came"],
  EPIPE: ["network", "the connection was closed before an answer came"],
  UND_ERR_SOCKET: ["network", "the connection was closed before an answer came"],
  EHOSTUNREACH: ["network", "the host can't be reached"],
  ENETUNREACH: ["network", "the network can't be reached"],
  EADDRNOTAVAIL: ["network", "the address can't be reached from this machine"],
  EACCES: ["permission", "this machine doesn't allow the connection"],
  EPERM: ["permission", "this machine doesn't allow the connection"],
  UND_ERR_HEADERS_OVERFLOW: ["size", "the answer's headers are too large"],
  CERT_HAS_EXPIRED: ["certificate", "{who}'s certificate has expired"],
  CERT_NOT_YET_VALID: [
    "clock",
    "{who}'s certificate is not valid yet: the clock of one of the two machines is wrong",
  ],
  CERT_REVOKED: ["certificate", "{who}'s certificate has been revoked"],
  DEPTH_ZERO_SELF_SIGNED_CERT: ["certificate", `{who}'s certificate is self-signed${untrusted}`],
  SELF_SIGNED_CERT_IN_CHAIN: [
    "certificate",
    `{who}'s certificate chain is self-signed${untrusted}`,
  ],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    "certificate",
    `{who}'s certificate chain is incomplete${untrusted}`,
  ],
  UNABLE_TO_GET_ISSUER_CERT: [
    "certificate",
    `{who}'s certificate has an unknown issuer${untrusted}`,
  ],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: [
    "certificate",
    `{who}'s certificate has an unknown issuer${untrusted}`,
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: ["certificate", "{who}'s certificate is for another host"],
  ERR_SSL_WRONG_VERSION_NUMBER: ["tls", `${noTls}: {who} doesn't speak TLS on this port`],
  ERR_SSL_UNSUPPORTED_PROTOCOL: ["tls", `${noTls}: {who} has old versions of TLS alone`],
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: ["tls", `${noTls}: {who} has other versions of TLS`],
};

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
    const { cause, reason } = explainFailure(error.cause, { ...circumstances, who: "the proxy" });
    return { cause, reason: `OUTGOING_PROXY can't be used: ${reason}` };
  }
  const causes = listCauses(error);
  for (const one of causes) {
    const known = explainCode(one, circumstances);
    if (known !== null) return known;
  }
  const [text = ""] = (causes[0]?.message || errorCode(error) || String(error)).split("\n", 1);
  return { cause: "other", reason: text.slice(0, 200) };
}

export function explainTimeout(timeoutMs: number): FailureReason {
  return { cause: "timeout", reason: `no answer within ${timeoutMs / secondMs} s` };
}

function explainUnresolved(name: string): FailureReason {
  return { cause: "name", reason: `the host name ${name} can't be resolved` };
}

function explainCode(error: Error, { who, timeoutMs }: Circumstances): FailureReason | null {
  const code = "originalCode" in error ? String(error.originalCode) : errorCode(error);
  const found = sentences[code];
  if (found) return { cause: found[0], reason: found[1].replace("{who}", who) };
  if (/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL|EDNS$)/.test(code))
    return explainUnresolved("hostname" in error ? String(error.hostname) : `of ${who}`);
  if (/^(ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|ESOCKETTIMEDOUT)$/.test(code))
    return explainTimeout(timeoutMs);
  const [, proxyStatus] = /^Proxy [\w ]+\((\d+)\)/.exec(error.message) ?? [];
  if (proxyStatus !== undefined)
    return proxyStatus === "407"
      ? { cause: "credentials", reason: "OUTGOING_PROXY doesn't accept the credentials (HTTP 407)" }
      : { cause: "refused", reason: `OUTGOING_PROXY answers HTTP ${proxyStatus}` };
  const isTls = /^(ERR_SSL|ERR_TLS|EPROTO|ETLS$)/.test(code) || /SSL routines/.test(error.message);
  if (isTls) return { cause: "tls", reason: noTls };
  // undici's parser names its reason only sometimes.
  if (error.name === "HTTPParserError" || code.startsWith("HPE_"))
    return { cause: "protocol", reason: "the answer was not valid HTTP" };
  return /certificate/i.test(error.message)
    ? {
        cause: "certificate",
        reason: `${who}'s certificate can't be trusted (${code})${untrusted}`,
      }
    : null;
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
