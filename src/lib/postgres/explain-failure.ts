// Why a connection to PostgreSQL fails, in a sentence that says what mends it.
import { errorCode } from "../errors.ts";
import { explainFailure } from "../failure-causes.ts";

/** By SQLSTATE and a part of the message; the first that fits. */
const advice: readonly [code: string, part: RegExp, sentence: string][] = [
  ["28P01", /./, "check the user and the password in the URL"],
  [
    "28000",
    /no encryption|SSL off/,
    "the server wants TLS: add sslmode=verify-full or sslmode=require to the URL",
  ],
  ["28000", /pg_hba/, "pg_hba.conf of the server has no line for this user, database and machine"],
  ["28000", /./, "check the user in the URL"],
  [
    "3D000",
    /./,
    "make it: create database NAME owner ROLE template template0 encoding 'UTF8' locale 'C'",
  ],
  ["42501", /./, "the role of the URL lacks this right"],
  [
    "53300",
    /./,
    "lower DATABASE_POOL_MAX, or allow more connections (max_connections, connection limit of the role)",
  ],
  ["", /does not support SSL/, "it has no TLS: set sslmode=disable in the URL"],
];

export function explainPostgresFailure(error: Error, timeoutMs: number): string {
  const { cause, reason } = explainFailure(error, { who: "PostgreSQL", timeoutMs });
  if (cause === "certificate")
    return reason.replace(
      /; NODE_EXTRA_CA_CERTS.*$/,
      "; name a file with its authority as sslrootcert in the URL",
    );
  const [, , sentence] =
    advice.find(([code, part]) => code === errorCode(error) && part.test(error.message)) ?? [];
  return sentence === undefined ? reason : `${reason}; ${sentence}`;
}
