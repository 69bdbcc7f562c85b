import { expect, test } from "vitest";
import { canParseUrl, withoutBrackets } from "./urls.ts";

test("a URL with letters beyond ASCII can be parsed, however often it is asked", () => {
  // Node 20 optimizes its own check after some thousands of calls.
  const answers = Array.from({ length: 20_000 }, () => canParseUrl("https://bücher.example/ä"));
  expect(answers).not.toContain(false);
  expect(canParseUrl("bücher.example")).toBe(false);
  expect(canParseUrl("/ä", "https://bücher.example")).toBe(true);
});

test("brackets belong to the URL, not to the address", () => {
  expect(withoutBrackets("[::1]")).toBe("::1");
  expect(withoutBrackets("example.com")).toBe("example.com");
});
