// Answers that repeat a secret, as people see them.
import { expect, test } from "vitest";
import { createRandom } from "../../simulator/random.ts";
import { volume } from "../../test/support/volume.ts";
import { hideSecrets } from "./hide-secrets.ts";

const url = "https://hooks.example.com/services/T00000001/invented%2Bpath-1?sig=a1b2c3d4e5";

test.each([
  ["a token", "no key-0123456789 here", "key-0123456789", "no … here"],
  ["a short word", "the user is unknown", "user", "the user is unknown"],
  ["a URL", `no ${url}`, url, "no …"],
  ["the path of a URL", "no /services/T00000001/invented%2Bpath-1?sig=a1b2c3d4e5", url, "no …"],
  ["a part of a path", "no T00000001", url, "no …"],
  ["a part of a path, decoded", "no invented+path-1", url, "no …"],
  ["a parameter", "sig a1b2c3d4e5 is wrong", url, "sig … is wrong"],
  [
    "the host of a URL, which is none",
    "hooks.example.com is away",
    url,
    "hooks.example.com is away",
  ],
  [
    "a password of basic authentication",
    "no pass-word-1",
    `Basic ${btoa("me:pass-word-1")}`,
    "no …",
  ],
  ["a parameter of a header", "no key-01234", 'Token token="key-01234"', "no …"],
  ["a word of a path", '{"services":1}', url, '{"services":1}'],
  ["a word of a header", "no application", "application/vnd.example+json", "no application"],
  ["a word as a password", "no fishmonger", `Basic ${btoa("me:fishmonger")}`, "no …"],
  [
    "words beside a token",
    "the session=1 of the token=2 ended",
    "session=a8Zk2LqpX0 ; token=b",
    "",
  ],
  ["nothing", "as it is", "", "as it is"],
])("%s", (_, text, secret, shown) => {
  expect(hideSecrets(text, [secret])).toBe(shown || text);
});

const hex = (text: string): string => Buffer.from(text).toString("hex");
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const each = (text: string, form: (code: string) => string): string =>
  [...text].map((one) => form(one.charCodeAt(0).toString(16).padStart(2, "0"))).join("");

/** How services write what they repeat. */
const forms: Readonly<Record<string, (text: string) => string>> = {
  "as it is": (text) => text,
  "in upper case": (text) => text.toUpperCase(),
  "in lower case": (text) => text.toLowerCase(),
  reversed: (text) => [...text].reverse().join(""),
  "as JSON in JSON": (text) => JSON.stringify(JSON.stringify(text)),
  "as \\u escapes": (text) => each(text, (code) => `\\u00${code}`),
  "as \\x escapes": (text) => each(text, (code) => `\\x${code}`),
  "in a URL": encodeURIComponent,
  "percent-encoded": (text) => each(text, (code) => `%${code}`),
  "twice percent-encoded": (text) => encodeURIComponent(each(text, (code) => `%${code}`)),
  "as entities": (text) => each(text, (code) => `&#x${code};`),
  "as decimal entities": (text) => each(text, (code) => `&#${Number.parseInt(code, 16)};`),
  "quoted-printable": (text) => each(text, (code) => `=${code.toUpperCase()}`),
  "in broken lines": (text) => text.replace(/(.{5})/g, "$1\r\n "),
  hexadecimal: hex,
  "hexadecimal with colons": (text) => each(text, (code) => `${code}:`),
  base64,
  "base64 behind other bytes": (text) => base64(`x${text}`),
  "base64 behind two bytes": (text) => base64(`xy${text}`),
  "base64 in lines": (text) => base64(text).replace(/(.{8})/g, "$1\n"),
  base64url: (text) => Buffer.from(text).toString("base64url"),
  "base64 twice": (text) => base64(base64(text)),
  "base64 of hexadecimal": (text) => base64(hex(text)),
};

const alphabet = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789-_+/";

/** Every run of eight characters that the shown text has of the secret, however it is written. */
function listLeaks(shown: string, secret: string): string[] {
  const runs = Array.from({ length: secret.length - 7 }, (_, at) => secret.slice(at, at + 8));
  return runs.flatMap((run) =>
    Object.entries(forms).flatMap(([name, form]) => (shown.includes(form(run)) ? [name] : [])),
  );
}

test.each(Object.keys(forms))("no eight characters of a secret are shown %s", (name) => {
  const form = forms[name] ?? String;
  const random = createRandom(Object.keys(forms).indexOf(name));
  for (let round = 0; round < volume(200); round += 1) {
    const letters = Array.from({ length: random.whole(12, 60) }, () => random.pick([...alphabet]));
    const token = letters.join("");
    const from = random.whole(0, token.length - 8);
    const to = random.whole(from + 8, token.length);
    const answer = `{"error":"invalid_token","detail":"${form(token.slice(from, to))} is not valid"}`;
    const secrets = random.pick([
      [token],
      [`Bearer ${token}`],
      [`Token token="${token}"`],
      [`Basic ${btoa(`me:${token}`)}`],
      [`https://hooks.example.com/services/${encodeURIComponent(token)}`],
    ]);
    const shown = hideSecrets(answer, secrets);
    expect(listLeaks(shown, token), `${answer} of ${secrets}`).toEqual([]);
    expect(shown).toContain("…");
    // An answer without a part of the secret stays.
    const other = '{"error":"invalid_token","detail":"the token has expired: sign in again"}';
    expect(hideSecrets(other, secrets)).toBe(other);
  }
});
