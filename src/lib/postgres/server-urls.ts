// The URL of a PostgreSQL, or of several servers with commas between their hosts, as libpq takes it.

import { canParseUrl } from "../urls.ts";

export type ServerRole = keyof typeof kinds;

/** The accepted values of `target_session_attrs`, the default first. */
const kinds = {
  primary: ["read-write", "primary"],
  standby: ["standby", "prefer-standby", "read-only", "any"],
} as const;

/**
 * The URL of each server, where one names several with commas; null for a text that is not a URL of PostgreSQL, or asks
 * for another kind of server.
 */
export function listServerUrls(text: string, role: ServerRole = "primary"): string[] | null {
  const [, scheme, account = "", hosts, rest = ""] =
    /^(postgres(?:ql)?:\/\/)([^@/?#]*@)?([^/?#]*)(.*)$/.exec(text) ?? [];
  if (scheme === undefined || hosts === undefined) return null;
  const urls = hosts.split(",").map((host) => `${scheme}${account}${host}${rest}`);
  const [first] = urls;
  if (first === undefined || !urls.every((url) => canParseUrl(url))) return null;
  if (urls.length === 1) return urls;
  const [ifLeftOut, ...others]: readonly string[] = kinds[role];
  const kind = new URL(first).searchParams.get("target_session_attrs") ?? ifLeftOut;
  return kind === ifLeftOut || others.includes(kind ?? "") ? urls.map(withoutKind) : null;
}

// The driver would take it for a setting of its own.
function withoutKind(text: string): string {
  const url = new URL(text);
  url.searchParams.delete("target_session_attrs");
  return url.href;
}
