// Patterns that make English prose hard to read, counted in comments and in the names of tests.
import type { SourceFile } from "./source-tree.ts";

const patterns = {
  /** "is no X": write "is not a …", or the positive sentence. */
  isNo: /\b(?:is|are|was|were) no (?!longer|more|later)\w+/g,
  /** A headless clause as a subject, "What waits is …": name the thing. */
  headless: /^(?:What|Whatever)\b(?!.*\?$)/g,
  /** "Who forgot their password …": write "Users who …". */
  who: /^(?:Whoever|Who)\b(?!.*\?)|\bwhoever\b/g,
  /** Name the actor: the user, the caller, another worker. */
  nobody: /\b(?:nobody|somebody|no one|someone|anybody|everybody)\b/g,
  /** Report, return, notify, receive. */
  telling: /\b(?:tells?|told|hears? of|heard of)\b/g,
  /** Is in, is stored in, means. */
  standsIn: /\bstands? (?:in|for|there|at|beside|on)\b/g,
  /** A fragment that begins with "Of": write a full noun phrase. */
  of: /^Of\b/g,
} as const;

export type EnglishPattern = keyof typeof patterns;

const testName = /\b(?:test|describe)(?:\.\w+(?:\([^)]*\))?)*\(\s*["`]((?:[^"`\\]|\\.)*)["`]/g;

/** Comments, those of several lines as one, and names of tests. */
export function listProse({ path, text }: Pick<SourceFile, "path" | "text">): string[] {
  const prose = [...text.matchAll(/\/\*\*?([\s\S]*?)\*\//g)].map(([, comment = ""]) =>
    comment.replace(/\n\s*\*?\s?/g, " ").trim(),
  );
  let open: string[] = [];
  for (const line of [...text.split("\n"), ""]) {
    const comment = line.match(/^\s*\/\/\s?(.*)$/)?.[1];
    if (comment !== undefined) {
      open.push(comment);
    } else if (open.length > 0) {
      prose.push(open.join(" "));
      open = [];
    }
  }
  if (/\.test\.|^test\//.test(path)) {
    for (const [, name = ""] of text.matchAll(testName)) prose.push(name);
  }
  return prose;
}

/** How often each pattern occurs in these texts, sentence by sentence. */
export function countPatterns(texts: readonly string[]): Record<EnglishPattern, number> {
  const counts = Object.fromEntries(Object.keys(patterns).map((name) => [name, 0]));
  for (const sentence of texts.flatMap((text) => text.split(/(?<=[.!?:;])\s+/))) {
    for (const [name, pattern] of Object.entries(patterns)) {
      counts[name] = (counts[name] ?? 0) + (sentence.match(pattern)?.length ?? 0);
    }
  }
  return counts as Record<EnglishPattern, number>;
}
