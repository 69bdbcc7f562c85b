// Answers that repeat a secret, as people see them.
import { expect, test } from "vitest";
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
  ["nothing", "as it is", "", "as it is"],
])("%s", (_, text, secret, shown) => {
  expect(hideSecrets(text, [secret])).toBe(shown);
});
