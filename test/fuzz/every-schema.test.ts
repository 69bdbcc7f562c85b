// Checking is work: every schema of the sources accepts or refuses the longest texts and lists at once.
import { expect, test } from "vitest";
import { parseJsonBody } from "../../src/http/json-body.ts";
import { cpuMsMax, isMeasured, measureCpuMs } from "./fuzz-case.ts";
import { listSchemas } from "./list-schemas.ts";
import { worstBodies } from "./worst-bodies.ts";

/** `npm run fuzz` takes the largest body of a request; what takes the square of an eighth of it is noticed as well. */
const [bytesMax, msMax] = isMeasured ? [64 * 1024, cpuMsMax] : [8 * 1024, cpuMsMax / 5];

test("no schema of the sources takes long for its worst text or list", async () => {
  const schemas = await listSchemas();
  expect(schemas.length).toBeGreaterThan(60);
  const slow: string[] = [];
  for (const { name, schema } of schemas) {
    for (const { name: field, body } of worstBodies(schema, bytesMax)) {
      const text = JSON.stringify(body);
      const ms = measureCpuMs(() => schema.safeParse(parseJsonBody(text)), msMax);
      if (ms > msMax) slow.push(`${name}, ${field}: ${Math.ceil(ms)} ms`);
    }
  }
  expect(slow).toEqual([]);
}, 600_000);
