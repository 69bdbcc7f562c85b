// The URL of a PostgreSQL, or of several servers with commas between their hosts, read as libpq reads it: hosts and sockets, and
// TLS by `sslmode`. The driver reads some of it otherwise.
// https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING
import net from "node:net";
import type pg from "pg";
import { isDecodable } from "../urls.ts";
import { readTls, type Tls } from "./server-tls.ts";
import { fail, UrlFault } from "./url-fault.ts";

export type ServerRole = keyof typeof kinds;

/** The accepted values of `target_session_attrs`, the default first. */
const kinds = {
  primary: ["read-write", "primary"],
  standby: ["standby", "prefer-standby", "read-only", "any"],
} as const;

/** How one server is reached, for the driver. */
export type ServerConfig = pg.ClientConfig & { host: string; database: string; ssl?: Tls };

/** The fault is a sentence for operators that follows the name of the setting. It never holds a part of the URL's sign-in. */
type ServerUrls = { servers: ServerConfig[]; fault: null } | { servers: []; fault: string };

/**
 * The config of each server. Files that the URL names are read.
 * @throws any error but a fault of the URL, which would be a bug
 */
export function readServerUrls(text: string, role: ServerRole = "primary"): ServerUrls {
  try {
    return { servers: parse(text, role), fault: null };
  } catch (error) {
    if (!(error instanceof UrlFault)) throw error;
    return { servers: [], fault: error.message };
  }
}

function parse(text: string, role: ServerRole): ServerConfig[] {
  const rest = withoutScheme(text);
  const [, authority = "", path = "", query = ""] =
    /^([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?/.exec(rest) ?? [];
  refuseBareSigns({ authority, rest });
  const at = authority.lastIndexOf("@");
  const [user = "", ...passwords] = authority.slice(0, Math.max(at, 0)).split(":");
  const parameters = readParameters(query);
  const take = (name: string, fallback: string): string => parameters.get(name) ?? decode(fallback);
  const common = {
    database: take("dbname", path.slice(1)),
    ...ifSet("user", take("user", user)),
    ...ifSet("password", take("password", passwords.join(":"))),
    ...ifSet("options", parameters.get("options")),
    ...(parameters.get("channel_binding") === "require" && { enableChannelBinding: true }),
  };
  const tls = readTls(parameters);
  const addresses = listAddresses(authority.slice(at + 1), parameters);
  if (addresses.length > 1) checkKind(parameters.get("target_session_attrs"), role);
  return addresses.map((address) => ({
    ...common,
    ...address,
    // As libpq: a socket of this machine has none.
    ...ifSet("ssl", address.host.startsWith("/") ? false : tls),
  }));
}

function withoutScheme(text: string): string {
  if (/^(["'`]).*\1$/s.test(text)) fail("is in quotes, which don't belong to it");
  if (/[\s\p{Cc}]/u.test(text)) fail("has a space or a line end; in a URL a space is %20");
  const [, scheme, rest = ""] = /^([a-z][\w+.-]*(?::[a-z]+)*):\/\/(.*)$/is.exec(text) ?? [];
  if (scheme === undefined) return fail("must be a URL that begins with postgresql://");
  if (/^postgres(ql)?$/i.test(scheme)) return rest;
  return fail(`begins with ${scheme}://; it must begin with postgresql://`);
}

const encoded =
  "special characters of user and password must be percent-encoded (# is %23, / is %2F, ? is %3F, @ is %40, % is %25)";

/** A user or password with a sign that ends it early: the URL would mean another server. */
function refuseBareSigns({ authority, rest }: { authority: string; rest: string }): void {
  const isCut = authority.split("@").length > 2 || /[#@]/.test(rest.slice(authority.length));
  if (isCut || !isDecodable(authority)) fail(`can't be read: ${encoded}`);
}

function readParameters(query: string): Map<string, string> {
  const pairs = query.split("&").filter((pair) => pair !== "");
  return new Map(
    pairs.map((pair) => {
      const [name = "", ...values] = pair.split("=");
      if (!isDecodable(pair))
        fail(`has a % after ? that is not %25, at the parameter ${name.slice(0, 30)}`);
      if (values.length === 0) fail(`has the parameter ${name.slice(0, 30)} without a value`);
      return [decode(name), decode(values.join("="))];
    }),
  );
}

type ServerAddress = { host: string; port?: number };

/** Hosts of the address, or of the parameters, which win, as with libpq: `postgresql://user@/db?host=/run/postgresql`. */
function listAddresses(
  authority: string,
  parameters: ReadonlyMap<string, string>,
): ServerAddress[] {
  const written = authority.split(",").map(splitPort);
  const hosts = parameters.get("host")?.split(",") ?? written.map(({ host }) => host);
  const ports = parameters.get("port")?.split(",") ?? written.map(({ port }) => port);
  if (ports.length !== 1 && ports.length !== hosts.length)
    fail(`has ${hosts.length} hosts and ${ports.length} ports`);
  return hosts.map((host, index) => ({
    host: checkedHost(host),
    ...ifSet("port", checkedPort((ports.length === 1 ? ports[0] : ports[index]) ?? "")),
  }));
}

function splitPort(text: string): { host: string; port: string } {
  const [, inBrackets, plain = "", port = ""] =
    /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/.exec(text) ?? [];
  if (inBrackets === undefined && port.includes(":"))
    fail("has an IPv6 address without brackets: write [2001:db8::1]");
  return { host: inBrackets ?? decode(plain), port };
}

function checkedHost(host: string): string {
  if (host === "" || host.startsWith("/") || net.isIP(host.replace(/%.*$/, "")) !== 0) return host;
  return /^[\p{L}\p{N}._-]+$/u.test(host)
    ? host
    : fail("has a host that is not a name, an address or the path of a socket");
}

function checkedPort(text: string): number | undefined {
  if (text === "") return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535
    ? port
    : fail("has a port that is not a number from 1 to 65535");
}

function checkKind(kind: string | undefined, role: ServerRole): void {
  const accepted: readonly string[] = kinds[role];
  if (kind === undefined || accepted.includes(kind)) return;
  fail(`names several servers and asks for ${kind}: write target_session_attrs=${accepted[0]}`);
}

function decode(text: string): string {
  return decodeURIComponent(text);
}

function ifSet<Name extends string, Value>(name: Name, value: Value | undefined) {
  const isGiven = value !== undefined && value !== "";
  return (isGiven ? { [name]: value } : {}) as { [Key in Name]?: Value };
}
