import { expect, test } from "vitest";
import { fillFields, findFields, findRawField } from "./template-fields.ts";

const values = { author: " Ada ", app: "Lantern Log", version: "4.3" };

test.each([
  ["{author}", "{author}"],
  ["Hello {Author}!", "{Author}"],
  ["Hello { author }!", "{ author }"],
  ["in {\tVERSION } and {app}", "{\tVERSION }"],
])("%j has a field, which is found and filled in", (text, raw) => {
  expect(findRawField(text)).toBe(raw);
  expect(findRawField(fillFields(text, values))).toBe(null);
});

test.each(["Hello author", "{authors}", "{ app version }", "{}", "{author", "{a uthor}"])(
  "%j has no field and stays as it is",
  (text) => {
    expect([findRawField(text), findFields(text), fillFields(text, values)]).toEqual([
      ...[null, []],
      text,
    ]);
  },
);

test("fields are named once, and all of them are filled in", () => {
  const text = "Hello { Author }, {APP} {version}. Yours, {app}";
  expect(findFields(text)).toEqual(["author", "app", "version"]);
  expect(fillFields(text, values)).toBe("Hello Ada, Lantern Log 4.3. Yours, Lantern Log");
});

test.each(["$& and $1", "$$", "$`", "$'", "{app}"])(
  "a nickname that looks like a pattern or a field is inserted as it is: %j",
  (author) => {
    expect(fillFields("Hello {author}, {app}", { ...values, author })).toBe(
      `Hello ${author}, Lantern Log`,
    );
  },
);
