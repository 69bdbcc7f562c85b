import fc from "fast-check";
import { expect, test } from "vitest";
import { splitStatements } from "./split-statements.ts";

test.each([
  ["select 1; select 2;", ["select 1", "select 2"]],
  ["select 1; -- the last; one\n ; /* nothing; */ ;", ["select 1"]],
  ["-- why; it is\nselect 1;", ["-- why; it is\nselect 1"]],
  ["select /* a /* b; */ c; */ 1; select 2", ["select /* a /* b; */ c; */ 1", "select 2"]],
  ["select 'it''s; this', 'b\\'; select 2", ["select 'it''s; this', 'b\\'", "select 2"]],
  ["select e'a\\';b''', E'\\\\'; select 2", ["select e'a\\';b''', E'\\\\'", "select 2"]],
  ['select "a;""b"; select 2', ['select "a;""b"', "select 2"]],
  ["do $$ begin; $a$; $$; select 2", ["do $$ begin; $a$; $$", "select 2"]],
  ["do $a1$ ; $$ ; $a$ ; $a1$; select 2", ["do $a1$ ; $$ ; $a$ ; $a1$", "select 2"]],
  ["select a$b$; select 2 as b$b$", ["select a$b$", "select 2 as b$b$"]],
  ["execute one ($1); execute two ($1)", ["execute one ($1)", "execute two ($1)"]],
  ["select 'open; and", ["select 'open; and"]],
  ["  -- nothing\n", []],
])("%j", (sql, statements) => {
  expect(splitStatements(sql)).toEqual(statements);
});

const text = fc.string({ unit: fc.constantFrom("a", ";", " ", "\n", "$", "-", "/", "*", "\\") });
const token = fc.oneof(
  fc.constantFrom("select", "x$y$", "$1", "(", "e", ","),
  text.map((inside) => `'${inside}'`.replaceAll("\\", "")),
  text.map((inside) => `E'${inside.replaceAll("\\", "\\'")}'`),
  text.map((inside) => `"${inside}"`),
  text.map((inside) => `$q$${inside}$q$`),
  text.map((inside) => `--${inside.replaceAll("\n", "")}\n`),
  text.map((inside) => `/*${inside.replaceAll(/[/*]/g, "")}*/`),
);
const statement = fc.array(token).map((tokens) => ["select", ...tokens, "."].join(" "));

test("what was joined is split where it was joined", () => {
  fc.assert(
    fc.property(fc.array(statement), (statements) => {
      expect(splitStatements(statements.join(";\n"))).toEqual(statements);
    }),
  );
});
