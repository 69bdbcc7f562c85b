import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyText } from "../../test/support/any-text.ts";
import { createSecretBox } from "./secret-box.ts";

const older = randomBytes(32);
const newer = randomBytes(32);

describe("a sealed secret", () => {
  test("opens for what it was sealed for, whatever it says", () => {
    const ring = createSecretBox([newer]);
    fc.assert(
      fc.property(anyText(), fc.string(), (plain, id) => {
        expect(ring.open(ring.seal(plain, id), id)).toBe(plain);
      }),
    );
  });

  test("never looks the same twice and does not hold the secret", () => {
    const ring = createSecretBox([newer]);
    const box = ring.seal("whsec_invented", "channel-1");
    expect(box).not.toEqual(ring.seal("whsec_invented", "channel-1"));
    expect(box.includes("whsec_invented")).toBe(false);
  });

  test("does not open for another channel", () => {
    const ring = createSecretBox([newer]);
    const box = ring.seal("whsec_invented", "channel-1");
    expect(() => ring.open(box, "channel-2")).toThrow("belongs elsewhere");
  });

  test("does not open when any bit of it was changed", () => {
    const ring = createSecretBox([newer]);
    const box = ring.seal("whsec_invented", "channel-1");
    for (let index = 0; index < box.length; index += 1) {
      const changed = Buffer.from(box);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => ring.open(changed, "channel-1")).toThrow();
    }
    expect(() => ring.open(box.subarray(0, 30), "channel-1")).toThrow();
    expect(() => ring.open(Buffer.alloc(0), "channel-1")).toThrow();
  });
});

describe("a ring of keys", () => {
  test("seals with the first and opens with all", () => {
    const before = createSecretBox([older]);
    const after = createSecretBox([newer, older]);
    const box = before.seal("whsec_invented", "channel-1");
    expect(after.open(box, "channel-1")).toBe("whsec_invented");
    expect(after.isCurrent(box)).toBe(false);
    const resealed = after.seal("whsec_invented", "channel-1");
    expect(after.keyIdOf(resealed)).not.toBe(after.keyIdOf(box));
    expect(after.isCurrent(resealed)).toBe(true);
    expect(() => before.open(resealed, "channel-1")).toThrow(after.keyIdOf(resealed));
  });

  test("needs at least one key, and keys of 32 bytes", () => {
    expect(() => createSecretBox([])).toThrow("32 bytes");
    expect(() => createSecretBox([newer, Buffer.alloc(16)])).toThrow("32 bytes");
  });
});
