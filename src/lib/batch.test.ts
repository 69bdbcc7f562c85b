import { expect, test } from "vitest";
import { createGate } from "../../test/support/gate.ts";
import { createBatch } from "./batch.ts";

function openBatches(countMax: number) {
  const queries: string[][] = [];
  const find = createBatch(
    async (questions: readonly string[]) => {
      queries.push([...questions]);
      if (questions.includes("bad")) throw new Error("refused");
      return questions.map((question) => `answer to ${question}`);
    },
    { countMax, runningMax: 10 },
  );
  return { find, queries };
}

test("what is asked at the same moment is one query, each with its own answer", async () => {
  const { find, queries } = openBatches(10);
  const answers = await Promise.all(["one", "two", "one"].map(find));
  expect(answers).toEqual(["answer to one", "answer to two", "answer to one"]);
  await find("three");
  expect(queries).toEqual([["one", "two", "one"], ["three"]]);
});

test("what is asked while a query is under way is another one", async () => {
  const queries: string[][] = [];
  const find: (question: string) => Promise<string> = createBatch(
    async (questions: readonly string[]) => {
      queries.push([...questions]);
      return Promise.all(
        questions.map((question) => (question === "first" ? find("second") : question)),
      );
    },
    { countMax: 10, runningMax: 10 },
  );
  expect(await find("first")).toBe("second");
  expect(queries).toEqual([["first"], ["second"]]);
});

test("a query has a limit; those beyond it are further ones", async () => {
  const { find, queries } = openBatches(2);
  await Promise.all(["1", "2", "3", "4", "5"].map(find));
  expect(queries).toEqual([["1", "2"], ["3", "4"], ["5"]]);
});

test("a failing query fails for its own batch only", async () => {
  const { find } = openBatches(2);
  const results = await Promise.allSettled(["bad", "1", "2"].map(find));
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
  expect(await find("3")).toBe("answer to 3");
});

test("what is asked while as many queries are under way as may be is gathered for the next one", async () => {
  const gate = createGate();
  const queries: string[][] = [];
  const find = createBatch(
    async (questions: readonly string[]) => {
      queries.push([...questions]);
      if (questions.includes("1")) await gate.opened;
      if (questions.includes("2")) throw new Error("refused");
      return questions;
    },
    { countMax: 10, runningMax: 1 },
  );
  const first = find("1");
  await new Promise(setImmediate);
  const others = [find("2"), find("3")];
  await new Promise(setImmediate);
  const last = find("4");
  await new Promise(setImmediate);
  expect(queries).toEqual([["1"]]);
  gate.open();
  const settled = await Promise.allSettled([first, ...others, last]);
  expect(queries).toEqual([["1"], ["2", "3", "4"]]);
  expect(settled.map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "rejected",
    "rejected",
  ]);
  expect(await find("5")).toBe("5");
});

test("a query without an answer holds the next one back for a while only", async () => {
  const link = createGate();
  const slow = createGate();
  const queries: string[] = [];
  const find = createBatch(
    async ([question = ""]: readonly string[]) => {
      queries.push(question);
      if (question === "dead") await link.opened;
      if (question === "slow") await slow.opened;
      return [question];
    },
    { countMax: 1, runningMax: 1, holdMsMax: 1 },
  );
  const late = find("dead");
  expect(await find("next")).toBe("next");
  link.open();
  expect(await late).toBe("dead");
  // Its answer, when it comes, makes no room a second time.
  const others = Promise.all([find("slow"), find("last")]);
  await new Promise(setImmediate);
  expect(queries).toEqual(["dead", "next", "slow"]);
  slow.open();
  expect(await others).toEqual(["slow", "last"]);
});
