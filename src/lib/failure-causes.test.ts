// Every code by which the installed Node.js, OpenSSL, undici and nodemailer report a failure has a cause and a sentence.

import dns from "node:dns";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { getSystemErrorMap } from "node:util";
import zlib from "node:zlib";
import { errors } from "undici";
import { describe, expect, test } from "vitest";
import { explainFailure, ProxyError } from "./failure-causes.ts";

const require = createRequire(import.meta.url);
const circumstances = { who: "the endpoint", timeoutMs: 10_000 };

function explain(facts: Record<string, unknown>, message = "words of the library") {
  return explainFailure(Object.assign(new Error(message), facts), circumstances);
}

/** Texts of the program itself, which has no list of what OpenSSL can say. */
function textsOfNode(pattern: RegExp): string[] {
  const program = readFileSync(process.execPath, "latin1");
  return [...new Set([...program.matchAll(pattern)].map(([, text = ""]) => text))].sort();
}

const x509 =
  /(?<![A-Z_a-z])((?:UNABLE_TO_|CERT_|CRL_|ERROR_IN_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|HOSTNAME_MIS|OUT_OF_MEM)[A-Z_]*)(?![A-Z_a-z:])/g;
const alerts =
  /(?<![a-z_ ])((?:sslv3|tlsv1|tlsv13|ssl\/tls) (?:alert )?[a-z0-9 ]{4,40})(?![a-z_%:])/g;
const nodeTls = /(ERR_TLS_[A-Z_]*[A-Z])(?=[^A-Z_])/g;
/** Other texts with the same beginning. */
const notX509 = new Set(["CERT_USAGE", "CRL_DIST_POINTS", "UNABLE_TO_FIND_PARAMETERS"]);

type Known = { code: string; facts?: Record<string, unknown>; message?: string };

const lists: Record<string, () => Known[]> = {
  "checks of certificates": () =>
    textsOfNode(x509)
      .filter((code) => !notX509.has(code))
      .map((code) => ({ code })),
  "alerts of TLS": () =>
    textsOfNode(alerts).map((text) => ({
      code: `ERR_SSL_${text.toUpperCase().replaceAll(" ", "_")}`,
    })),
  "Node's TLS": () => textsOfNode(nodeTls).map((code) => ({ code })),
  "the HTTP parser": () => {
    const { ERROR } = require("undici/lib/llhttp/constants.js") as {
      ERROR: Record<string, number>;
    };
    return Object.keys(ERROR).map((code) => ({ code: `HPE_${code}` }));
  },
  "look-ups of names": () =>
    Object.values(dns)
      .filter((value) => typeof value === "string" && /^E[A-Z]+$/.test(value))
      .map((code) => ({ code: String(code), facts: { syscall: "queryA", hostname: "a.example" } })),
  "the operating system": () =>
    [...getSystemErrorMap().values()].map(([code]) => ({
      code,
      message: `connect ${code} 192.0.2.1:443`,
    })),
  undici: () =>
    Object.values(errors)
      .map(
        (Kind) =>
          new (Kind as unknown as new (...values: unknown[]) => Error)(
            "words of the library",
            500,
            {},
          ),
      )
      .map((error) => ({ code: String(Reflect.get(error, "code")), facts: { name: error.name } }))
      .filter(({ code }) => code.startsWith("UND_ERR_") && !unusedOfUndici.has(code)),
  nodemailer: () =>
    Object.keys(
      (require("nodemailer/lib/errors") as { ERROR_CODES: Record<string, string> }).ERROR_CODES,
    )
      .filter((code) => !unusedOfNodemailer.has(code))
      .map((code) => ({ code })),
  decompression: () =>
    Object.entries(zlib.constants)
      .filter(([name, value]) => /^Z_[A-Z]+_ERROR$/.test(name) && value < 0)
      .map(([code]) => ({ code })),
};

/** Parts of undici that Starpost doesn't use, and arguments that no answer can make wrong. */
const unusedOfUndici = new Set([
  "UND_ERR_BPL_MISSING_UPSTREAM",
  "UND_ERR_INVALID_ARG",
  "UND_ERR_INVALID_RETURN_VALUE",
  "UND_ERR_MAX_ORIGINS_REACHED",
  "UND_ERR_NOT_SUPPORTED",
  "UND_ERR_REQ_CONTENT_LENGTH_MISMATCH",
  "UND_ERR_REQ_RETRY",
  "UND_ERR_RESPONSE",
  "UND_ERR_WS_MESSAGE_SIZE_EXCEEDED",
]);

/** The same of nodemailer. */
const unusedOfNodemailer = new Set([
  "ECONFIG",
  "EENVELOPE",
  "EFETCH",
  "EFILEACCESS",
  "EMAXLIMIT",
  "EMAXRECIPIENTS",
  "EMESSAGE",
  "EOTP",
  "EPROXY",
  "ESENDMAIL",
  "ESES",
  "ESTREAM",
  "EURLACCESS",
]);

describe.each(Object.entries(lists))("each code of %s", (_, list) => {
  const known = list();

  test("has a cause, and a sentence of its own", () => {
    expect(known.length).toBeGreaterThan(3);
    const explained = known.map(({ code, facts, message }) => ({
      code,
      ...explain({ code, ...facts }, message),
    }));
    const without = explained.filter(
      ({ cause, reason }) =>
        cause === "other" || reason.includes("words of the library") || /[{}]/.test(reason),
    );
    expect(without).toEqual([]);
  });
});

test("the lists are whole", () => {
  const counts = Object.fromEntries(
    Object.entries(lists).map(([name, list]) => [name, list().length]),
  );
  const least = {
    "checks of certificates": 28,
    "alerts of TLS": 30,
    "Node's TLS": 12,
    "the HTTP parser": 30,
    "look-ups of names": 24,
    "the operating system": 80,
    undici: 12,
    nodemailer: 10,
    decompression: 5,
  };
  for (const [name, count] of Object.entries(least))
    expect(counts[name], name).toBeGreaterThanOrEqual(count);
});

test.each([
  // As Node.js 22 and 24 write it.
  ["ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE", /demands a client certificate/],
  ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", /demands a client certificate/],
  ["ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE", /demands a client certificate/],
  ["ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE", /client certificate.*or other ciphers/],
  ["ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL", /HTTP\/2 alone/],
  ["ERR_SSL_TLSV1_UNRECOGNIZED_NAME", /doesn't know this host name/],
  ["ERR_SSL_UNSAFE_LEGACY_RENEGOTIATION_DISABLED", /unsafe legacy renegotiation disabled$/],
  ["ERR_SSL_DH_KEY_TOO_SMALL", /dh key too small$/],
  ["EMFILE", /too many open files/],
])("%s says what is wrong", (code, sentence) => {
  expect(explain({ code }).reason).toMatch(sentence);
});

test("the error that ended a connection is the reason, not the end", () => {
  const cause = Object.assign(new Error("alert"), {
    code: "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED",
  });
  const error = Object.assign(new Error("other side closed", { cause }), {
    code: "UND_ERR_SOCKET",
  });
  expect(explainFailure(error, circumstances).reason).toContain("client certificate");
  expect(explainFailure(new ProxyError(error), circumstances).reason).toMatch(
    /^OUTGOING_PROXY can't be used: .*the proxy demands a client certificate/,
  );
});

test.each([
  ["\0\0\0\x04\0\0\0\0\0", /HTTP\/2 alone/],
  ["\0\0\x12\x04\0\0\0\0\0", /HTTP\/2 alone/],
  ["\x15\x03\x01\0\x02\x02", /speaks TLS on this port/],
  ["SSH-2.0-OpenSSH", /^the answer was not valid HTTP \(Expected HTTP\/\)$/],
])("an answer that begins with %j is named", (data, sentence) => {
  const message = "Response does not match the HTTP/1.1 protocol (Expected HTTP/)";
  expect(explain({ name: "HTTPParserError", data }, message).reason).toMatch(sentence);
});
