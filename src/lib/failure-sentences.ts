// The sentences for the codes by which Node.js, OpenSSL, undici and nodemailer say that another system can't be used. The test
// compares the table with all codes of the installed versions.

export type FailureCause =
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
  | "machine"
  | "other";

type Entry = [cause: FailureCause, sentence: string, codes: string];

const untrusted = "; NODE_EXTRA_CA_CERTS can name a file with its authority";
export const noTls = "no secure connection could be made (TLS)";
export const http2Alone = "speaks HTTP/2 alone, and Starpost speaks HTTP/1.1";
const noPlainTls = `${noTls}: {who} doesn't speak TLS on this port`;
const oldTls = `${noTls}: {who} has old versions of TLS alone`;
const wantsCertificate = `${noTls}: {who} demands a client certificate, and Starpost has none`;
const unresolved = "the host name {host} can't be resolved";

/** `{who}` is the other system, such as "the mail server", `{host}` the name that was looked up, `{code}` the code. */
const entries: readonly Entry[] = [
  // The operating system.
  ["refused", "the connection was refused", "ECONNREFUSED"],
  [
    "network",
    "the connection was reset before an answer came",
    "ECONNRESET ECONNABORTED ENETRESET ERR_STREAM_PREMATURE_CLOSE",
  ],
  [
    "network",
    "the connection was closed before an answer came",
    "EPIPE EOF ENOTCONN ESHUTDOWN ECONNECTION ESOCKET UND_ERR_SOCKET",
  ],
  ["network", "the host can't be reached", "EHOSTUNREACH EHOSTDOWN"],
  ["network", "the network can't be reached", "ENETUNREACH ENETDOWN ENONET"],
  [
    "network",
    "the address can't be reached from this machine",
    "EADDRNOTAVAIL EAFNOSUPPORT EPROTONOSUPPORT ESOCKTNOSUPPORT EPROTOTYPE",
  ],
  ["permission", "this machine doesn't allow the connection", "EACCES EPERM"],
  ["machine", "this machine has too many open files and connections", "EMFILE ENFILE EFILE"],
  ["machine", "this machine has no port left for another connection", "EADDRINUSE EAGAIN"],
  [
    "machine",
    "this machine is short of memory",
    "ENOMEM ENOBUFS OUT_OF_MEM EAI_MEMORY Z_MEM_ERROR",
  ],
  [
    "timeout",
    "",
    "ETIMEDOUT ESOCKETTIMEDOUT ERR_TLS_HANDSHAKE_TIMEOUT UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT",
  ],
  // Names.
  [
    "name",
    unresolved,
    "ENOTFOUND ENODATA ENONAME EAI_NONAME EAI_NODATA EAI_ADDRFAMILY EAI_FAMILY EDNS",
  ],
  [
    "name",
    `${unresolved}: the name server gives no usable answer ({code})`,
    "ESERVFAIL EREFUSED ETIMEOUT EBADRESP EFORMERR ENOTIMP ECANCELLED EDESTRUCTION EAI_AGAIN EAI_FAIL EAI_CANCELED",
  ],
  [
    "name",
    `${unresolved}: this is not a valid name ({code})`,
    "EBADNAME EBADQUERY EBADSTR EAI_OVERFLOW",
  ],
  [
    "machine",
    `${unresolved}: this machine's look-up of names doesn't work ({code})`,
    "EBADFAMILY EBADFLAGS EBADHINTS ENOTINITIALIZED ELOADIPHLPAPI EADDRGETNETWORKPARAMS EAI_BADFLAGS EAI_BADHINTS EAI_SERVICE EAI_SOCKTYPE EAI_PROTOCOL",
  ],
  // Certificates.
  ["certificate", "{who}'s certificate has expired", "CERT_HAS_EXPIRED"],
  [
    "clock",
    "{who}'s certificate is not valid yet: the clock of one of the two machines is wrong",
    "CERT_NOT_YET_VALID",
  ],
  ["certificate", "{who}'s certificate has been revoked", "CERT_REVOKED"],
  ["certificate", `{who}'s certificate is self-signed${untrusted}`, "DEPTH_ZERO_SELF_SIGNED_CERT"],
  [
    "certificate",
    `{who}'s certificate chain is self-signed${untrusted}`,
    "SELF_SIGNED_CERT_IN_CHAIN",
  ],
  [
    "certificate",
    `{who}'s certificate chain is incomplete${untrusted}`,
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  ],
  [
    "certificate",
    `{who}'s certificate has an unknown issuer${untrusted}`,
    "UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_ISSUER_CERT_LOCALLY CERT_UNTRUSTED CERT_REJECTED",
  ],
  [
    "certificate",
    "{who}'s certificate is for another host",
    "ERR_TLS_CERT_ALTNAME_INVALID ERR_TLS_CERT_ALTNAME_FORMAT HOSTNAME_MISMATCH UND_ERR_PRX_TLS",
  ],
  [
    "certificate",
    "{who}'s certificate is not one for servers, or its issuer may not issue it ({code})",
    "INVALID_PURPOSE INVALID_CA",
  ],
  [
    "certificate",
    "{who}'s certificate chain is too long",
    "CERT_CHAIN_TOO_LONG PATH_LENGTH_EXCEEDED",
  ],
  [
    "certificate",
    "{who}'s certificate is damaged ({code})",
    "CERT_SIGNATURE_FAILURE UNABLE_TO_DECRYPT_CERT_SIGNATURE UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY ERROR_IN_CERT_NOT_BEFORE_FIELD ERROR_IN_CERT_NOT_AFTER_FIELD",
  ],
  [
    "certificate",
    "the list of revoked certificates of {who}'s authority can't be used ({code})",
    "UNABLE_TO_GET_CRL CRL_SIGNATURE_FAILURE UNABLE_TO_DECRYPT_CRL_SIGNATURE CRL_NOT_YET_VALID CRL_HAS_EXPIRED ERROR_IN_CRL_LAST_UPDATE_FIELD ERROR_IN_CRL_NEXT_UPDATE_FIELD",
  ],
  // TLS: without `ERR_SSL_`, and for alerts without their version.
  [
    "tls",
    noPlainTls,
    "ERR_SSL_WRONG_VERSION_NUMBER ERR_SSL_PACKET_LENGTH_TOO_LONG ERR_SSL_HTTP_REQUEST ERR_SSL_UNKNOWN_PROTOCOL",
  ],
  [
    "tls",
    oldTls,
    "ERR_SSL_UNSUPPORTED_PROTOCOL ERR_SSL_UNSUPPORTED_SSL_VERSION ERR_SSL_VERSION_TOO_LOW",
  ],
  [
    "tls",
    `${noTls}: {who} has other versions of TLS`,
    "alert_protocol_version alert_inappropriate_fallback",
  ],
  [
    "tls",
    wantsCertificate,
    "alert_certificate_required alert_no_certificate alert_bad_certificate alert_unsupported_certificate alert_certificate_revoked alert_certificate_expired alert_certificate_unknown alert_unknown_ca alert_access_denied",
  ],
  [
    "tls",
    `${noTls}: {who} refused the handshake, because it demands a client certificate, which Starpost doesn't have, or other ciphers`,
    "alert_handshake_failure alert_insufficient_security",
  ],
  ["tls", `${noTls}: {who} ${http2Alone}`, "alert_no_application_protocol"],
  ["tls", `${noTls}: {who} doesn't know this host name`, "alert_unrecognized_name"],
  // HTTP.
  [
    "size",
    "the answer's headers are too large",
    "UND_ERR_HEADERS_OVERFLOW HPE_HEADER_OVERFLOW HPE_CHUNK_EXTENSIONS_OVERFLOW",
  ],
  ["size", "the answer is too large", "UND_ERR_RES_EXCEEDED_MAX_SIZE"],
  [
    "protocol",
    "the answer's body has another length than its headers say",
    "UND_ERR_RES_CONTENT_LENGTH_MISMATCH HPE_UNEXPECTED_CONTENT_LENGTH HPE_INVALID_CONTENT_LENGTH",
  ],
  [
    "protocol",
    "the answer's compression is damaged ({code})",
    "Z_DATA_ERROR Z_BUF_ERROR Z_NEED_DICT Z_STREAM_ERROR Z_VERSION_ERROR",
  ],
  [
    "machine",
    "this process ended the request",
    "UND_ERR_ABORTED UND_ERR_ABORT UND_ERR_DESTROYED UND_ERR_CLOSED UND_ERR_INFO ABORT_ERR EABORT",
  ],
  // Mail.
  ["protocol", "{who}'s reply is not valid SMTP", "EPROTOCOL"],
  ["credentials", "{who} doesn't accept user or password", "EAUTH ENOAUTH EOAUTH2"],
];

type Sentence = { cause: FailureCause; sentence: string };

const table = new Map<string, Sentence>(
  entries.flatMap(([cause, sentence, codes]) =>
    codes.split(" ").map((code) => [code, { cause, sentence }] as const),
  ),
);

/** null for a code that has no sentence of its own. */
export function findSentence(code: string): Sentence | null {
  // OpenSSL names the version; from 3.2 on it says SSL/TLS for what all versions have.
  const alert = /^ERR_SSL_(?:SSLV3|TLSV1|TLSV13|SSL\/TLS)_(?:ALERT_)?(.+)$/.exec(code)?.[1];
  return table.get(alert === undefined ? code : `alert_${alert.toLowerCase()}`) ?? null;
}
