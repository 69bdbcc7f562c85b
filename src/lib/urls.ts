// URLs and their host names.

/** As `URL.canParse`, which in Node 20 is wrong about letters such as "ü" once its caller is optimized. */
export function canParseUrl(text: string, base?: string | URL): boolean {
  try {
    return new URL(text, base) !== null;
  } catch {
    return false;
  }
}

/** The host name of a URL without the brackets of an IPv6 address and without the dot that ends a full name. */
export function plainHost(hostname: string): string {
  return withoutBrackets(hostname).replace(/\.$/, "");
}

/** Whether one of the names is the host's; one that begins with a dot matches all names below it. */
export function isAmongHosts(host: string, names: readonly string[]): boolean {
  return names.some((name) => (name.startsWith(".") ? host.endsWith(name) : host === name));
}

/** The host name of a URL without the brackets of an IPv6 address. */
export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "");
}

/** Whether each % is followed by two digits, and the bytes are UTF-8. */
export function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== null;
  } catch {
    return false;
  }
}
