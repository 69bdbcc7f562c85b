// Secrets in answers: services repeat the token that they refuse, whole or in part, decoded or encoded. A whole secret is cut
// out. A text that has eight characters in a row of one, in whatever form, is withheld.

/** Shorter ones are, or are parts of, ordinary words. */
const wholeMin = 5;
const runMin = 8;
/** Such as `services` in a path or `application` in a header, which may be a name in the answer. */
const word = /^[a-z]{1,12}$/;
const viewsMax = 60;
/** Base64 of base64 is read. */
const depthMax = 2;

/** The text without the secrets: passwords, tokens, values of headers, and URLs whose path is a secret. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  const wholes = secrets.filter(({ length }) => length >= wholeMin);
  const parts = wholes.flatMap(partsOf).filter(({ length }) => length >= runMin);
  let shown = text;
  for (const one of [...wholes.flatMap(withPath), ...parts].sort((a, b) => b.length - a.length))
    shown = shown.replaceAll(one, "…");
  const runs = new Set(parts.flatMap(runsOf));
  if (runs.size === 0 || !repeats(shown, runs)) return shown;
  return `… (${text.length} characters, which repeat a part of a secret)`;
}

/** `Token token="…"`, `Basic …`, cookies, and the path and query of a URL, also decoded; without words. */
function partsOf(secret: string): string[] {
  if (/^https?:/.test(secret)) {
    const { pathname, search } = new URL(secret);
    const parts = (pathname + search).split(/[/?&=;,:]+/).filter(isNoWord);
    return [...parts, ...parts.map(decodeUrl)];
  }
  // A token may have the characters that separate the parts of a header.
  if (!/[\s"]/.test(secret)) return [secret.replace(/^([\w-]+=|[a-z]{1,12}\/)(?=.)/, "")];
  const [, basic = ""] = /^basic (.+)/i.exec(secret) ?? [];
  const decoded = Buffer.from(basic, "base64").toString("utf8");
  const password = decoded.slice(decoded.indexOf(":") + 1);
  const values = secret.split(/[\s",;]+/).map((part) => part.replace(/^[\w-]+=/, ""));
  return [password, ...values.filter(isNoWord)];
}

function isNoWord(part: string): boolean {
  return !word.test(part);
}

/** A URL's path is a secret as well. */
function withPath(secret: string): string[] {
  if (!/^https?:/.test(secret)) return [secret];
  const { pathname, search } = new URL(secret);
  return [secret, pathname + search].filter(({ length }) => length >= wholeMin);
}

function decodeUrl(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Every run of eight characters, forwards and backwards, in lower case. */
function runsOf(part: string): string[] {
  const lower = part.toLowerCase();
  const reversed = [...lower].reverse().join("");
  return [lower, reversed].flatMap((one) =>
    Array.from({ length: Math.max(0, one.length - runMin + 1) }, (_, at) =>
      one.slice(at, at + runMin),
    ),
  );
}

/** Whether the text, or whatever it may be an encoding of, has one of the runs. */
function repeats(text: string, runs: ReadonlySet<string>): boolean {
  const seen = new Set([text]);
  let views = [text];
  for (let depth = 0; ; depth += 1) {
    if (views.some((view) => hasRun(view.toLowerCase(), runs))) return true;
    if (depth === depthMax || seen.size > viewsMax) return false;
    views = views.flatMap(decode).filter((view) => view.length >= runMin && !seen.has(view));
    for (const view of views) seen.add(view);
  }
}

function hasRun(text: string, runs: ReadonlySet<string>): boolean {
  for (let at = 0; at + runMin <= text.length; at += 1)
    if (runs.has(text.slice(at, at + runMin))) return true;
  return false;
}

const character = (code: string, radix: number): string =>
  String.fromCharCode(Number.parseInt(code, radix));
const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };

/** The text read as JSON, a URL, HTML, quoted-printable, hexadecimal and base64, and without gaps. */
function decode(text: string): string[] {
  return [
    text.replace(/\\(?:u([\da-f]{4})|x([\da-f]{2})|(.))/gi, (_, long, short, other) =>
      other === undefined ? character(long ?? short, 16) : other,
    ),
    text.replace(/%([\da-f]{2})/gi, (_, code) => character(code, 16)),
    text
      .replace(/&#x([\da-f]{1,6});?/gi, (_, code) => character(code, 16))
      .replace(/&#(\d{1,7});?/g, (_, code) => character(code, 10))
      .replace(/&(amp|lt|gt|quot);/g, (_, name) => entities[name] ?? ""),
    text.replace(/=\r?\n/g, "").replace(/=([\da-f]{2})/gi, (_, code) => character(code, 16)),
    text.replace(/[\s\p{Cf}\p{Cc}]+/gu, ""),
    ...decodeRuns(text.replace(/0x/gi, ""), /(?:[\da-f]{2}[\s:,-]?){8,}/gi, readHex),
    ...decodeRuns(text.replace(/[\r\n]+/g, ""), /[\w+/-]{11,}/g, readBase64),
  ];
}

/** All runs together for each place where the first byte of a secret can begin. */
function decodeRuns(
  text: string,
  pattern: RegExp,
  read: (run: string) => readonly string[],
): string[] {
  const found = (text.match(pattern) ?? []).map(read);
  const places = Math.max(0, ...found.map(({ length }) => length));
  return Array.from({ length: places }, (_, at) => found.map((run) => run[at] ?? "").join("\n"));
}

function readHex(run: string): string[] {
  const digits = run.replace(/[^\da-f]/gi, "");
  return [0, 1].map((at) => Buffer.from(digits.slice(at), "hex").toString("latin1"));
}

function readBase64(run: string): string[] {
  return [0, 1, 2, 3].map((at) => Buffer.from(run.slice(at), "base64").toString("latin1"));
}
