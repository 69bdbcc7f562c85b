import { expect, test } from "vitest";
import { AppError } from "../domain/error.ts";
import { toProblem } from "./problem.ts";

test("while the database is away, a problem says when to come back", () => {
  const problem = toProblem(new AppError("unavailable", "the database is busy"), "1");
  expect(problem).toMatchObject({ status: 503, retryAfter: 5 });
});
