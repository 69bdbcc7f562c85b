// The project's source files as the tidy test reads them: text, code without comments and strings, and
// imports as paths from the root. A scanner of a page instead of a parser, so it needs no compiler API.
import fs from "node:fs";
import path from "node:path";

export const root = path.resolve(import.meta.dirname, "../..");

export type SourceFile = {
  /** From the root, with slashes. */
  path: string;
  text: string;
  /** The text with comments, strings and regular expressions blanked; line numbers stay. */
  code: string;
  lineCount: number;
  /** Types included: paths from the root, or names of packages. */
  imports: string[];
  isTest: boolean;
};

export function listSourceFiles(folders: readonly string[]): SourceFile[] {
  return folders.flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name) && !name.includes("node_modules"))
      .sort()
      .map((name) => readSourceFile(path.posix.join(folder, name))),
  );
}

function readSourceFile(file: string): SourceFile {
  const text = fs.readFileSync(path.join(root, file), "utf8");
  const specifiers = [...text.matchAll(/(?:from |import\()"([^"]+)"/g)].map(
    ([, name = ""]) => name,
  );
  return {
    path: file,
    text,
    code: blankNonCode(text, { isJsx: file.endsWith("x") }),
    lineCount: text.trimEnd().split("\n").length,
    imports: specifiers.map((name) => resolveImport(file, name)),
    isTest: file.startsWith("test/") || /\.test\.tsx?$/.test(file),
  };
}

export function resolveImport(from: string, specifier: string): string {
  if (!specifier.startsWith(".")) return specifier;
  return path.posix.join(path.posix.dirname(from), specifier);
}

// In this order: a comment, a string, a template without nested templates, a regular expression where a
// value may start. Quotes end at the line's end, so that an apostrophe in JSX text spoils one line only.
const nonCode = new RegExp(
  [
    /\/\/[^\n]*|\/\*[\s\S]*?\*\//,
    /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/,
    /`(?:\\[\s\S]|\$\{(?:[^{}`]|\{[^{}]*\}|`(?:\\[\s\S]|[^`\\])*`)*\}|[^`\\])*`/,
    /(?<=(?:[(,=:[!&|?{};]|\breturn|=>)\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

/** Exported for its own test. */
export function blankNonCode(text: string, { isJsx = false } = {}): string {
  const code = text.replace(nonCode, (found) =>
    found.startsWith("`") ? blankTemplate(found) : blank(found),
  );
  if (!isJsx) return code;
  // Words between tags and braces are text for people.
  return code.replace(/(?<=>)[^<>{}()=;]+(?=[<{])|(?<=\})[^<>{}()=;:]+(?=[<{])/g, blank);
}

/** Code inside `${}` stays. */
function blankTemplate(template: string): string {
  return template
    .split(/(\$\{(?:[^{}]|\{[^{}]*\})*\})/)
    .map((part) => (part.startsWith("${") ? `  ${blankNonCode(part.slice(2, -1))} ` : blank(part)))
    .join("");
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}

export type SourceFunction = {
  name: string;
  line: number;
  body: string;
  doc: string;
  isExported: boolean;
};

/** Functions and methods. Biome's format makes it simple: each ends at the first `}` on its indentation. */
export function listFunctions({ text, code }: Pick<SourceFile, "text" | "code">): SourceFunction[] {
  const texts = text.split("\n");
  const lines = code.split("\n");
  return lines.flatMap((line, start) => {
    const head =
      /^(\s*)(export )?(?:async )?(?:function\*? ([\w$]+)|(?:async )?([#\w]+)\(.*\{$)/.exec(line);
    const name = head?.[3] ?? head?.[4] ?? "";
    if (!head || /^(if|for|while|switch|return|catch|describe|test)$/.test(name)) return [];
    const end = lines.slice(start).findIndex((below) => below.startsWith(`${head[1]}}`));
    if (end < 0) return [];
    const body = lines.slice(start, start + end + 1).join("\n");
    return [
      {
        name,
        line: start + 1,
        body,
        doc: docAbove(texts, start),
        isExported: head[2] !== undefined,
      },
    ];
  });
}

// A method, a named function or a returned one; not a callback, which runs within the call.
const innerFunction =
  /^(\s+)(?:(?:async )?(?!if|for|while|switch|catch)[#\w]+\(.*\)(?:: [^=]+)? \{$|(?:async )?function |(?:const \w+(?:: .+)? = |\w+: |return )(?:async )?\(.*\)(?:: .+)? => \{$)/;

/** Whether calling the function itself may execute a `throw`: functions that it defines do not count. */
export function canThrow(body: string): boolean {
  const lines = body.split("\n");
  for (let index = 1; index < lines.length; index += 1) {
    const indent = innerFunction.exec(lines[index] ?? "")?.[1];
    if (indent !== undefined) {
      index += lines.slice(index).findIndex((below) => below.startsWith(`${indent}}`));
    } else if (/\bthrow\b/.test(lines[index] ?? "")) return true;
  }
  return false;
}

function docAbove(lines: readonly string[], start: number): string {
  let first = start;
  while (/^\s*(\/\*\*|\*|\/\/)/.test(lines[first - 1] ?? "")) first -= 1;
  return lines.slice(first, start).join("\n");
}

/** `src/database/pool.ts` is in the module `database`, `src/main.ts` is a module of its own. */
export function moduleOf(file: string): string {
  return file.split("/")[1] ?? "";
}

/** Pairs that reach each other by imports, over whatever others: modules of src, or files with `nameOf` the path itself. */
export function listCircles(
  files: readonly SourceFile[],
  nameOf: (path: string) => string = moduleOf,
): string[] {
  const paths = new Set(files.map((file) => file.path));
  const graph = new Map<string, Set<string>>();
  for (const file of files) {
    const targets = graph.get(nameOf(file.path)) ?? new Set();
    graph.set(nameOf(file.path), targets);
    for (const path of file.imports) if (paths.has(path)) targets.add(nameOf(path));
  }
  const reach = new Map([...graph.keys()].map((name) => [name, reachedFrom(graph, name)]));
  return [...reach].flatMap(([one, reached]) =>
    [...reached]
      .filter((other) => one < other && reach.get(other)?.has(one))
      .map((other) => `${one} ⇄ ${other}`),
  );
}

function reachedFrom(graph: ReadonlyMap<string, ReadonlySet<string>>, start: string): Set<string> {
  const reached = new Set<string>();
  const open = [start];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    for (const target of graph.get(name) ?? []) {
      if (!reached.has(target)) open.push(target);
      reached.add(target);
    }
  }
  return reached;
}
