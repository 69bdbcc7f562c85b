// TLS to PostgreSQL by the parameters of libpq. The driver takes `require` for `verify-full`, and warns of it on stderr.
// https://www.postgresql.org/docs/current/libpq-ssl.html#LIBPQ-SSL-PROTECTION
import fs from "node:fs";
import path from "node:path";
import type { ConnectionOptions } from "node:tls";
import { isFileMissing } from "../errors.ts";
import { fail } from "./url-fault.ts";

export type Tls = false | ConnectionOptions;

type Parameters = ReadonlyMap<string, string>;

/** Undefined where the URL leaves it open. Certificates are checked against Node's own authorities unless it names others. */
export function readTls(parameters: Parameters): Tls | undefined {
  const authorities = parameters.get("sslrootcert");
  const mode = parameters.get("sslmode") ?? modeOf(parameters);
  if (mode === undefined) return undefined;
  if (/^(allow|prefer)$/.test(mode)) {
    fail(
      `has sslmode=${mode}, which leaves open whether the connection is encrypted; write require, or disable for a server without TLS`,
    );
  }
  if (!modes.includes(mode)) fail(`has sslmode=${mode}; it can be ${modes.slice(0, 4).join(", ")}`);
  if (mode === "disable") return false;
  const files: ConnectionOptions = {
    ...(authorities && authorities !== "system" && { ca: read("sslrootcert", authorities) }),
    ...readIf("cert", { name: "sslcert", parameters }),
    ...readIf("key", { name: "sslkey", parameters }),
    ...(parameters.has("sslpassword") && { passphrase: parameters.get("sslpassword") }),
  };
  if (mode === "verify-full") return files;
  if (mode === "verify-ca" || (mode === "require" && files.ca)) {
    // Everyone can have a certificate of an authority that browsers know, for some name.
    if (!files.ca)
      fail("has sslmode=verify-ca, which needs sslrootcert=FILE; verify-full does without");
    return { ...files, checkServerIdentity: () => undefined };
  }
  return { ...files, rejectUnauthorized: false };
}

const modes = ["disable", "require", "verify-ca", "verify-full", "no-verify"];

/** `ssl` is how other drivers ask for it. */
function modeOf(parameters: Parameters): string | undefined {
  const ssl = parameters.get("ssl");
  if (ssl === "no-verify") return ssl;
  if (/^(false|0)$/.test(ssl ?? "")) return "disable";
  const isAsked = ssl !== undefined || parameters.has("sslrootcert") || parameters.has("sslcert");
  return isAsked ? "verify-full" : undefined;
}

function readIf<Key extends string>(
  key: Key,
  { name, parameters }: { name: string; parameters: Parameters },
): { [K in Key]?: Buffer } {
  const file = parameters.get(name);
  return (file ? { [key]: read(name, file) } : {}) as { [K in Key]?: Buffer };
}

function read(name: string, file: string): Buffer {
  if (!path.isAbsolute(file)) fail(`has the file ${file} as ${name}: write its whole path`);
  try {
    return fs.readFileSync(file);
  } catch (error) {
    const why = isFileMissing(error) ? "is missing" : "can't be read by this user";
    return fail(`has the file ${file} as ${name}, which ${why}`);
  }
}
