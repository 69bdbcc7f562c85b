// Refusing a body is work as well: none that a route takes keeps the event loop from everything else.
import process from "node:process";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { manageRoutes } from "../../../src/api/manage/routes.ts";
import { largeBodyBytesMax } from "../../../src/dashboard-api/dashboard-route.ts";
import { routes } from "../../../src/dashboard-api/routes.ts";
import { destinationSchemas } from "../../../src/domain/channel/channel-destination.ts";
import { parseJsonBody } from "../../../src/http/json-body.ts";
import { longTest } from "../../support/patience.ts";
import { cpuMsMax, isMeasured, measureCpuMs } from "./fuzz-case.ts";
import { worstBodies } from "./worst-bodies.ts";

const bytesMaxDefault = 64 * 1024;

type Taken = { name: string; schema: z.ZodType; bytesMax: number };

const taken: readonly Taken[] = [
  ...Object.entries(destinationSchemas).map(([name, schema]) => ({
    ...{ name: `destination ${name}`, schema, bytesMax: largeBodyBytesMax },
  })),
  ...routes.flatMap(({ name, body, bodyBytesMax: bytesMax = 8 * 1024 }) =>
    body ? [{ name, schema: body, bytesMax }] : [],
  ),
  ...manageRoutes().flatMap(({ method, path, body, bodyBytesMax: bytesMax = bytesMaxDefault }) =>
    body ? [{ name: `${method} ${path}`, schema: body, bytesMax }] : [],
  ),
];
const distinct = [...new Map(taken.map((one) => [one.schema, one])).values()];

describe("the longest bodies are accepted or refused at once", () => {
  test.each(distinct.map((one) => [one.name, one] as const))(
    "%s",
    (name, { schema, bytesMax }) => {
      let worst = { ms: 0, field: "" };
      for (const { name: field, body } of worstBodies(schema, bytesMax)) {
        const text = JSON.stringify(body);
        const ms = measureCpuMs(() => schema.safeParse(parseJsonBody(text)));
        if (ms > worst.ms) worst = { ms, field };
      }
      if (isMeasured) {
        const line = `| ${name} | ${worst.field} | ${bytesMax / 1024} kB | ${Math.ceil(worst.ms)} |\n`;
        process.stdout.write(line);
      }
      expect(worst.ms, worst.field).toBeLessThanOrEqual(cpuMsMax);
    },
    longTest.timeout,
  );
});
