import fc from "fast-check";
import { expect, test } from "vitest";
import { matchTotpCode, stepOf, toBase32, totpCode, totpUri } from "./totp.ts";

const secret = Buffer.from("12345678901234567890");

test.each([
  [59, "94287082"],
  [1_111_111_109, "07081804"],
  [1_111_111_111, "14050471"],
  [1_234_567_890, "89005924"],
  [2_000_000_000, "69279037"],
  [20_000_000_000, "65353130"],
])("at second %i the code is the one of RFC 6238, appendix B", (second, code) => {
  expect(totpCode(secret, stepOf(new Date(second * 1_000)), 8)).toBe(code);
});

test.each(["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583"])(
  "the codes of RFC 4226, appendix D: %s",
  (code) => {
    const codes = Array.from({ length: 8 }, (_, step) => totpCode(secret, step));
    expect(codes).toContain(code);
  },
);

test.each([
  ["", ""],
  ["f", "MY"],
  ["fo", "MZXQ"],
  ["foo", "MZXW6"],
  ["foob", "MZXW6YQ"],
  ["fooba", "MZXW6YTB"],
  ["foobar", "MZXW6YTBOI"],
])("%j in base32 is the one of RFC 4648", (text, base32) => {
  expect(toBase32(Buffer.from(text))).toBe(base32);
});

test("a code is accepted one step early or late, and only once", () => {
  const now = new Date(1_234_567_890_000);
  const step = stepOf(now);
  const match = (of: number, lastStep = 0) =>
    matchTotpCode(secret, { code: totpCode(secret, of), now, lastStep });
  expect([-2, -1, 0, 1, 2].map((by) => match(step + by))).toEqual([
    null,
    step - 1,
    step,
    step + 1,
    null,
  ]);
  expect(match(step, step)).toBeNull();
  expect(match(step - 1, step)).toBeNull();
  expect(match(step + 1, step)).toBe(step + 1);
});

test("a text that is not a code is a wrong one", () => {
  fc.assert(
    fc.property(fc.string(), (code) => {
      fc.pre(!/^\d{6}$/.test(code));
      expect(
        matchTotpCode(secret, { code, now: new Date(1_234_567_890_000), lastStep: 0 }),
      ).toBeNull();
    }),
  );
});

test("the address for authenticator apps names issuer and account", () => {
  expect(totpUri({ secret, issuer: "Starpost", account: "ida@example.com" })).toBe(
    "otpauth://totp/Starpost:ida%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Starpost",
  );
});
