// URLs and their host names.

/** As `URL.canParse`, which in Node 20 is wrong about letters such as "ü" once its caller is optimized. */
export function canParseUrl(text: string, base?: string | URL): boolean {
  try {
    return new URL(text, base) !== null;
  } catch {
    return false;
  }
}

/** The host name of a URL without the brackets of an IPv6 address. */
export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "");
}
