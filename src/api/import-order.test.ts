// The schemas of the domain are made before or after zod is extended for OpenAPI, as the importing module has it.
import { expect, test } from "vitest";

test("the read API loads after the digest of the domain", async () => {
  await import("../domain/digest.ts");
  await import("../domain/verdict.ts");
  const { openApi } = await import("./api.ts");
  expect(openApi).toBeTypeOf("function");
});
