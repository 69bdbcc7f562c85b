// Expressions backtrack on texts that nearly match them: a long text then takes the square of its length, or more.
import { expect, test } from "vitest";
import { describeSlowness, listExpressions } from "./expressions.ts";

test("no regular expression takes long for a text that nearly matches it", () => {
  const expressions = listExpressions("src");
  expect(expressions.length).toBeGreaterThan(200);
  expect(expressions.flatMap((found) => describeSlowness(found) ?? [])).toEqual([]);
}, 600_000);
