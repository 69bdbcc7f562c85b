// Checking is work: every schema of the sources accepts or refuses the longest texts and lists at once.
import { expect, test } from "vitest";
import { parseJsonBody } from "../../../src/http/json-body.ts";
import { longTest } from "../../support/patience.ts";
import { cpuMsMax, isMeasured, measureCpuMs } from "./fuzz-case.ts";
import { listSchemas } from "./list-schemas.ts";
import { worstBodies } from "./worst-bodies.ts";

/** `npm run fuzz` takes the largest body of a request; what takes the square of an eighth of it is noticed as well. */
const bytesMax = (isMeasured ? 64 : 8) * 1024;

test("no schema of the sources takes long for its worst text or list", longTest, async () => {
  const schemas = await listSchemas();
  expect(schemas.length).toBeGreaterThan(60);
  const slow: string[] = [];
  for (const { name, schema } of schemas) {
    // Starpost writes answers itself.
    if (name.endsWith(".answer")) continue;
    for (const { name: field, body } of worstBodies(schema, bytesMax)) {
      const text = JSON.stringify(body);
      const ms = measureCpuMs(() => schema.safeParse(parseJsonBody(text)), cpuMsMax);
      if (ms > cpuMsMax) slow.push(`${name}, ${field}: ${Math.ceil(ms)} ms`);
    }
  }
  expect(slow).toEqual([]);
});
