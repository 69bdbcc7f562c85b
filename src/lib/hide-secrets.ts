// Secrets in answers: services repeat the token that they refuse, whole or in part, decoded or encoded.

/** Shorter ones are, or are parts of, ordinary words. */
const lengthMin = 5;
const partLengthMin = 8;
/** Such as `services` in a path, which may be a name in the answer. */
const word = /^[a-z]{1,12}$/;

/** The text without the secrets: passwords, tokens, values of headers, and URLs whose path is a secret. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  const wholes = secrets.filter((secret) => secret.length >= lengthMin);
  const parts = wholes.flatMap(partsOf).filter((part) => part.length >= partLengthMin);
  const hidden = [...wholes, ...parts.flatMap(encodingsOf)];
  let shown = text;
  for (const one of hidden.sort((a, b) => b.length - a.length)) shown = shown.replaceAll(one, "…");
  return shown;
}

/** `Token token="…"`, `Basic …`, cookies, and the path and query of a URL, also decoded. */
function partsOf(secret: string): string[] {
  const { pathname, search, origin } = /^https?:/.test(secret)
    ? new URL(secret)
    : { pathname: secret, search: "", origin: "" };
  const path = pathname + search;
  const [, basic] = /^basic (.+)/i.exec(secret) ?? [];
  const decoded = basic === undefined ? "" : Buffer.from(basic, "base64").toString("utf8");
  const split = (text: string): string[] => text.split(/[\s/?&=;,:"]+/);
  const parts = [...split(path).filter((part) => !word.test(part)), ...split(decoded)];
  return [secret, origin && path, ...parts, ...parts.map(decodeUrl)];
}

function decodeUrl(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** As it is, in JSON, in a URL, and in base64 at each of the three places where its first byte can be. */
function encodingsOf(secret: string): string[] {
  const base64 = [0, 1, 2].map((offset) => {
    const encoded = Buffer.from(" ".repeat(offset) + secret).toString("base64");
    // Characters at both ends also depend on what is beside the secret.
    return encoded.replaceAll("=", "").slice(offset && offset + 1, -1);
  });
  const url64 = base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [
    ...[secret, inJson, inJson.replaceAll("/", "\\/"), encodeURIComponent(secret)],
    ...base64,
    ...url64,
  ].filter(({ length }) => length >= partLengthMin);
}
