// The schemas that modules of the service export, found by walking over the sources, so that a new one can't be forgotten.
import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { root } from "../../support/source-tree.ts";

export type FoundSchema = { name: string; schema: z.ZodType };

/** They read what the project, the operator or the service's own database says. */
const trusted: Readonly<Record<string, string>> = {
  "src/api/contract.ts": "answers",
  "src/config/": "settings of the operator",
  "src/demo/": "the demo",
};

/** With the arguments of schemas that are functions; their names end in Schema. */
const calls: Readonly<Record<string, readonly unknown[][]>> = {
  credentialInputSchema: [["appstore"], ["googleplay"]],
  listSchema: [[z.string(), { max: 10 }]],
  nameSchema: [[]],
  oneOfSchema: [[["one", "two"]]],
  passwordSchema: [[{ email: "ann@example.com", name: "Ann" }]],
  ratingAverageRowSchema: [[{ now: new Date(0) }]],
  reviewRowSchema: [[{ now: new Date(0), dayFirst: false }]],
  setupSchema: [[]],
  snapshotRowSchema: [[{ now: new Date(0), dayFirst: false }]],
  storedReviewSchema: [[{ now: new Date(0), dayFirst: false }]],
  wholeNumberSchema: [[{ min: 1, max: 9 }]],
};
/** Functions with such a name that make none for input. */
const others = ["resolveSchema", "toJsonSchema"];

export async function listSchemas(): Promise<FoundSchema[]> {
  const names = fs.readdirSync(path.join(root, "src"), { recursive: true, encoding: "utf8" });
  const files = names
    .map((name) => path.join("src", name))
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .filter((file) => !Object.keys(trusted).some((known) => file.startsWith(known)))
    .filter((file) => /from "zod"|[sS]chema\b/.test(fs.readFileSync(path.join(root, file), "utf8")))
    // Entry points run when they are read.
    .filter((file) => !/^src\/(?:main|cli|lib\/work-thread)\.ts$/.test(file));
  const found: FoundSchema[] = [];
  for (const file of files) {
    const exported: Record<string, unknown> = await import(path.join(root, file));
    for (const [name, value] of Object.entries(exported)) {
      found.push(...schemasIn(value, `${file} ${name}`));
    }
  }
  return [...new Map(found.map((one) => [one.schema, one])).values()];
}

function schemasIn(value: unknown, name: string): FoundSchema[] {
  if (value instanceof z.ZodType) return [{ name, schema: value }];
  const [, exportedName = ""] = name.split(" ");
  if (typeof value === "function" && /[sS]chema$/.test(exportedName)) {
    if (others.includes(exportedName)) return [];
    const made = calls[exportedName];
    if (!made) throw new Error(`${name}: tell list-schemas.ts what to call it with`);
    return made.flatMap((args) => schemasIn(value(...args), `${name} of ${JSON.stringify(args)}`));
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    inner instanceof z.ZodType ? [{ name: `${name}.${key}`, schema: inner }] : [],
  );
}
