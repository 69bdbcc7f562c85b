// Names always give the ids that the standard says, so that every installation gives the same.
import fc from "fast-check";
import { v5 } from "uuid";
import { expect, test } from "vitest";
import { isUuid, uuidV5 } from "./uuid.ts";

const dnsNamespace = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";

test("a name gives the id of the standard's own example", () => {
  expect(uuidV5("www.example.com", dnsNamespace)).toBe("2ed6657d-e927-568b-95e1-2665a8aea6a2");
});

test("any name in any namespace gives what the package gives", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.uuid(), (name, namespace) => {
      const id = uuidV5(name, namespace);
      expect(id).toBe(v5(name, namespace));
      expect(isUuid(id)).toBe(true);
    }),
  );
});
