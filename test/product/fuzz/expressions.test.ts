// Expressions backtrack on texts that nearly match them: a long text then takes the square of its length, or more.
import { expect, test } from "vitest";
import { longTest } from "../../support/patience.ts";
import { describeSlowness, listExpressions } from "./expressions.ts";

test("no regular expression takes long for a text that nearly matches it", longTest, () => {
  const expressions = listExpressions("src");
  expect(expressions.length).toBeGreaterThan(200);
  expect(expressions.flatMap((found) => describeSlowness(found) ?? [])).toEqual([]);
});
