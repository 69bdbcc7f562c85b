// The types of the client libraries are made from the OpenAPI document. `npm run generate` writes
// them; here they are compared.
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { composePython, composeTypeScript } from "./support/client-types.ts";
import { root } from "./support/source-tree.ts";

test.each([
  ["sdk/src/types.ts", composeTypeScript],
  ["sdk/python/starpost_client/_types.py", composePython],
])("%s is made from the OpenAPI document (npm run generate writes it)", (file, compose) => {
  const target = path.join(root, file);
  if (process.env["UPDATE_DOCS"] === "1") fs.writeFileSync(target, compose());
  expect(fs.readFileSync(target, "utf8")).toBe(compose());
});
