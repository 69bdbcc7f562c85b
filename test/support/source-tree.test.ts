// The code that the tidy test's scanner recognizes: it must neither see words in text nor lose code behind it.
import { expect, test } from "vitest";
import { blankNonCode, canThrow, listFunctions } from "./source-tree.ts";

const words = (code: string): string[] => blankNonCode(code).match(/[\w$]+/g) ?? [];

test.each([
  ["a comment", "one // told\ntwo /* told\n told */ three", ["one", "two", "three"]],
  ["strings", `one("told", 'it\\'s told') + two`, ["one", "two"]],
  ["an apostrophe that opens nothing", "it's one\ntwo", ["it", "s", "one", "two"]],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template in source code.
  ["a template", "one(`told ${two(`told ${three}`)} told`, four)", ["one", "two", "three", "four"]],
  [
    "regular expressions",
    "one(/told\\/['\"`]/g); two = /[/told]/; three / four / five",
    "one two three four five".split(" "),
  ],
])("%s holds no code", (_name, code, expected) => {
  expect(words(code)).toEqual(expected);
});

test("text between tags is no code", () => {
  const code = "const page = <p title={title}>You asked for {count} reviews</p>;";
  expect(blankNonCode(code, { isJsx: true })).not.toMatch(/asked|reviews/);
  expect(blankNonCode(code, { isJsx: true })).toMatch(/title.*count/);
});

test.each([
  ["in the function", "throw 1;", true],
  ["in a callback", "run(async (tx) => {\n    throw 1;\n  });", true],
  ["in a block", "if (isBad) {\n    throw 1;\n  }", true],
  ["in an inner function", "function inner(): void {\n    throw 1;\n  }", false],
  ["in a returned function", "return async (context) => {\n    throw 1;\n  };", false],
  ["in a method", "return {\n    async find(id) {\n      throw 1;\n    },\n  };", false],
  ["after a method", "return {\n    find() {\n      throw 1;\n    },\n  };\n  throw 2;", true],
])("a throw %s counts for the function: %s", (_name, code, expected) => {
  expect(canThrow(`export function one() {\n  ${code}\n}`)).toBe(expected);
});

test("functions are found with their doc comment and their body", () => {
  const text = "/** @throws if */\nexport function one() {\n  throw 1;\n}\n\nconst two = 2;\n";
  const [found, ...more] = listFunctions({ text, code: text });
  expect(more).toEqual([]);
  expect(found).toMatchObject({ name: "one", line: 2, isExported: true, doc: "/** @throws if */" });
  expect(found?.body).toContain("throw 1");
});
