// Splits plain SQL into its statements, by PostgreSQL's rules for where a semicolon is no end: in texts, quoted
// names, dollar quotes and comments. It knows no `begin atomic`; a migration with one would fail in every test.
// https://www.postgresql.org/docs/current/sql-syntax-lexical.html

/** Without the semicolons. What holds nothing but comments is left out. */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let start = 0;
  let isEmpty = true;
  const finish = (end: number): void => {
    if (!isEmpty) statements.push(sql.slice(start, end).trim());
    start = end + 1;
    isEmpty = true;
  };
  for (let at = 0; at < sql.length; ) {
    const end = findTokenEnd(sql, at);
    if (sql[at] === ";") finish(at);
    else if (!isSpace(sql[at]) && !isComment(sql, at)) isEmpty = false;
    at = end;
  }
  finish(sql.length);
  return statements;
}

const isSpace = (character = ""): boolean => /\s/.test(character);

const isComment = (sql: string, at: number): boolean =>
  sql.startsWith("--", at) || sql.startsWith("/*", at);

// What is open at the end of the text is left for PostgreSQL to refuse.
const untilQuote = /[^']*(?:''[^']*)*'?/y;
const untilEscapedQuote = /[^'\\]*(?:(?:''|\\[\s\S])[^'\\]*)*'?/y;
const untilNameQuote = /[^"]*(?:""[^"]*)*"?/y;
const untilLineEnd = /[^\n]*/y;
const word = /[\p{L}_][\p{L}\p{N}_$]*/uy;
const dollarTag = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy;

/** Where the text, name, comment, word or single character that begins here ends. */
function findTokenEnd(sql: string, at: number): number {
  if (sql[at] === "'") return endOf(untilQuote, sql, at + 1);
  if (sql[at] === '"') return endOf(untilNameQuote, sql, at + 1);
  if (sql.startsWith("--", at)) return endOf(untilLineEnd, sql, at);
  if (sql.startsWith("/*", at)) return findCommentEnd(sql, at);
  if (/^e'/i.test(sql.slice(at, at + 2))) return endOf(untilEscapedQuote, sql, at + 2);
  const afterTag = endOf(dollarTag, sql, at);
  if (afterTag > at) {
    const tag = sql.slice(at, afterTag);
    const closing = sql.indexOf(tag, afterTag);
    return closing === -1 ? sql.length : closing + tag.length;
  }
  // A word as a whole: a dollar or an E inside of it opens nothing.
  return Math.max(endOf(word, sql, at), at + 1);
}

/** Comments nest. */
function findCommentEnd(sql: string, start: number): number {
  let depth = 0;
  let at = start;
  do {
    if (sql.startsWith("/*", at)) depth += 1;
    else if (sql.startsWith("*/", at)) depth -= 1;
    else {
      at += 1;
      continue;
    }
    at += 2;
  } while (depth > 0 && at < sql.length);
  return at;
}

/** `at` where the pattern does not match there. */
function endOf(pattern: RegExp, sql: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(sql) ? pattern.lastIndex : at;
}
