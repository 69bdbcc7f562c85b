// Every command line of the documents, in blocks and in sentences, is one that the command takes: its name, and options of it.
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { longFlagOf } from "../src/cli/command.ts";
import { loadAllCommands } from "../src/cli/commands.ts";
import { root } from "./support/source-tree.ts";

const commands = await loadAllCommands();
const groups = new Set(commands.map(({ name }) => name.split(" ")[0]));

type Line = { file: string; text: string };

function listLines(): Line[] {
  const folders = ["docs", "packaging", "sdk", "examples"].flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .map((name) => path.join(folder, name)),
  );
  const files = ["README.md", "SECURITY.md", ...folders].filter(
    (file) => file.endsWith(".md") && !/node_modules|docs\/adr|docs\/cli\.md/.test(file),
  );
  return files.flatMap((file) => {
    const text = fs.readFileSync(path.join(root, file), "utf8").replaceAll(/ \\\n\s*/g, " ");
    const inBlocks = [...text.matchAll(/^\s*(?:[^\n`]*[ |(])?(starpost [^\n`]+)$/gm)];
    const inSentences = [...text.matchAll(/`(?:npx )?(starpost [^`]+)`/g)];
    return [...inBlocks, ...inSentences].map(([, line = ""]) => ({ file, text: line.trim() }));
  });
}

/** The reason why a line names no command; null when it names one. */
function findFault({ text }: Line): string | null {
  // The rest belongs to another program, or is a comment.
  const [own = ""] = text.split(/ (?:[|>#]|&&|2>) ?/);
  const words = own.replace("starpost -- ", "starpost ").split(/\s+/).slice(1);
  const [group = ""] = words;
  // An option of the container, or a word in brackets.
  if (!groups.has(group)) return /^[a-z][a-z-]*$/.test(group) ? `there is no ${group}` : null;
  const named = commands
    .filter(({ name }) => `${words.join(" ")} `.startsWith(`${name} `))
    .sort((one, other) => other.name.length - one.name.length);
  const [command] = named;
  // A whole group, such as `starpost channel`, or several of its verbs.
  if (command === undefined)
    return words.length === 1 || /[|,…*<]/.test(words[1] ?? "")
      ? null
      : `there is no ${words.slice(0, 2).join(" ")}`;
  const confirmed = command.question ? ["--yes"] : [];
  const known = [
    ...Object.values(command.options).map(longFlagOf),
    ...confirmed,
    ...["--json", "--help"],
  ];
  const typed = words.join(" ").match(/(?<=^|\s)--[a-z][a-z-]*/g) ?? [];
  const unknown = typed.filter((flag) => !known.includes(flag));
  return unknown.length > 0 ? `${command.name} has no ${unknown.join(", ")}` : null;
}

test("every command line of the documents names a command and options of it", () => {
  const lines = listLines();
  expect(lines.length).toBeGreaterThan(150);
  const faults = lines.flatMap((line) => {
    const fault = findFault(line);
    return fault === null ? [] : [`${line.file}: ${line.text}: ${fault}`];
  });
  expect(faults).toEqual([]);
});
