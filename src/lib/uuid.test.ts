// Names always give the ids that the standard says, so that every installation gives the same.
import { expect, test } from "vitest";
import { isUuid, uuidV5 } from "./uuid.ts";

const dnsNamespace = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";

test("a name gives the id of the standard's own example", () => {
  const id = uuidV5("www.example.com", dnsNamespace);
  expect(id).toBe("2ed6657d-e927-568b-95e1-2665a8aea6a2");
  expect(isUuid(id)).toBe(true);
});
