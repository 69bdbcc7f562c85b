import { expect, test } from "vitest";
import { formatLine } from "./log.ts";

const time = Date.parse("2026-11-21T12:34:56Z");

test("at a terminal a log line is a sentence with its facts", () => {
  const line = { level: 30, time, url: "http://127.0.0.1:8080", roles: ["api"], metricsUrl: null };
  expect(formatLine(JSON.stringify({ ...line, msg: "Starpost is ready" }))).toBe(
    '12:34:56 info  Starpost is ready url=http://127.0.0.1:8080 roles=["api"]\n',
  );
});

test("an error's stack stands below, and nothing controls the terminal", () => {
  const err = { type: "Error", message: "no\u001b[2J", stack: "Error: no\u001b[2J\n    at x.ts:1" };
  expect(formatLine(JSON.stringify({ level: 50, time, err, msg: "a crawl failed" }))).toBe(
    "12:34:56 error a crawl failed\n  Error: no[2J\n      at x.ts:1\n",
  );
});

test("no value forges a line of its own", () => {
  const forged = "x\n12:34:56 info  user signed in";
  const err = { type: "Error", message: forged, stack: forged };
  const text = formatLine(JSON.stringify({ level: 50, time, err, name: forged, msg: forged }));
  expect(text.split("\n").filter((line) => line.startsWith("12:34:56"))).toHaveLength(1);
});
