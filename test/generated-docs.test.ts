// Pages that are made from the code: the command line's reference and .env.example. `npm run generate`
// writes them; here they are compared.
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Command, Options } from "../src/cli/command.ts";
import { type CommandWord, commandWords, loadAllCommands } from "../src/cli/commands.ts";
import { listSettings } from "../src/config/config.ts";
import { routes } from "../src/dashboard-api/routes.ts";
import { hasRole, type MemberRole, memberRoles } from "../src/domain/people/user.ts";
import { root } from "./support/source-tree.ts";

const commands = await loadAllCommands();
const pages: readonly [file: string, text: string][] = [
  ["docs/cli.md", formatReference()],
  [".env.example", formatEnvExample()],
  ["docs/roles.md", formatRoles()],
];

test.each(pages)("%s is made from the code (npm run generate writes it)", (file, text) => {
  const target = path.join(root, file);
  if (process.env["UPDATE_DOCS"] === "1") fs.writeFileSync(target, text);
  expect(fs.readFileSync(target, "utf8")).toBe(text);
});

describe("command lines in the documents", () => {
  const files = ["README.md", "SECURITY.md"].concat(
    fs
      .readdirSync(path.join(root, "docs"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md") && !name.startsWith("adr/") && name !== "cli.md")
      .map((name) => `docs/${name}`),
  );
  const lines = files.flatMap((file) =>
    findCommandLines(fs.readFileSync(path.join(root, file), "utf8")).map((line) => ({
      file,
      line,
    })),
  );

  test("there are some", () => expect(lines.length).toBeGreaterThan(30));

  test.each(lines)("$file: starpost $line", ({ line }) => {
    const words = line.split(/\s+/);
    const command = commands.find(({ name }) => `${line} `.startsWith(`${name} `));
    expect(command ?? `no command for ${words.slice(0, 2).join(" ")}`).toBeTypeOf("object");
    if (!command) return;
    const flags = words.filter((word) => word.startsWith("--"));
    const known = [...listFlags(command), "--json", "--help", "--yes"];
    expect(flags.filter((flag) => !known.includes(flag))).toEqual([]);
  });
});

/** Lines of code blocks; a backslash continues a line. */
function findCommandLines(text: string): string[] {
  const blocks = [...text.matchAll(/^ *```[a-z]*\n([\s\S]*?)^ *```$/gm)].map(
    ([, code = ""]) => code,
  );
  return blocks.flatMap((code) =>
    [
      ...code
        .replaceAll(/\\\n\s*/g, "")
        .matchAll(
          /(?:^|\s)(?:npm run -s starpost --|starpost(?: starpost)?) ((?!https?:)[a-z][^\n#|<>]*)/gm,
        ),
    ].map(([, line = ""]) => line.trim()),
  );
}

function listFlags({ options }: Command): string[] {
  return Object.values(options).map(({ flags }) => flags.split(" ")[0] ?? "");
}

function formatRoles(): string {
  const roles = [...memberRoles].reverse();
  const isRole = (access: string): access is MemberRole => roles.includes(access as MemberRole);
  const lines = routes.flatMap(({ name, access }) =>
    isRole(access)
      ? [
          `| \`${name.replace("/workspaces/:workspace", "")}\` | ${roles.map((role) => (hasRole(role, access) ? "yes" : "–")).join(" | ")} |`,
        ]
      : [],
  );
  return `# Roles

Each member of a workspace has one role there, which an owner gives and changes under *Settings*. The same person may have
another role in another workspace.

- A **viewer** reads the pages: figures, reviews, topics, the apps and how they are collected, and the names of the members.
  Viewers see no channels, keys, notes, tags' history or store credentials, and change nothing but their own account.
- A **member** also works: notes, tags, saved views, topics, apps, channels with their deliveries.
- An **owner** may do everything: delete, see and rotate secrets, create and revoke API keys, use store credentials, manage
  members and invitations, and require a second factor.

This table is made from the dashboard's routes, below \`/console/api/workspaces/<id>\`. The service refuses a request that
needs another role with 403 \`forbidden\`. Anyone may end their own membership; only owners end those of others.

| route | ${roles.join(" | ")} |
|---|${roles.map(() => "---|").join("")}
${lines.join("\n")}
`;
}

function formatReference(): string {
  const headings = [...new Set(commandWords.map(({ heading }) => heading))];
  const sections = headings.map((heading) => {
    const words = commandWords.filter((one) => one.heading === heading);
    return `## ${heading}\n\n${words.map(formatWord).join("\n")}`;
  });
  return `# Command line

All commands, made from their definitions. In a checkout \`starpost\` is \`npm run -s starpost --\`.

- A workspace, app, channel, key or credential is named by its id, the beginning of its id, or its name; an app also
  by its id in the store. Without \`--workspace\` the setting \`STARPOST_WORKSPACE\` counts, or the only workspace.
- Every command has \`--help\`, and \`--json\` for scripts: one JSON value on stdout, errors included.
- Exit codes: 0 done, 1 failed, 2 invalid arguments.
- At a terminal, what can't be undone is asked first; \`--yes\` answers it, and scripts need it.
- \`starpost completion bash\` (\`zsh\`, \`fish\`) prints completions: \`source <(starpost completion bash)\`.

${sections.join("\n")}`;
}

function formatWord({ word, description }: CommandWord): string {
  const own = commands.filter(({ name }) => name.split(" ")[0] === word);
  if (own.some(({ name }) => name === word)) return own.map(formatCommand).join("\n");
  const text = own.map((command) => `#${formatCommand(command)}`).join("\n");
  return `### ${word}\n\n${description}\n\n${text}`;
}

function formatCommand(command: Command): string {
  const args = Object.values(command.args).map(({ flags }) => flags);
  const head = ["starpost", command.name, ...args].join(" ");
  const rows = [...formatRows(command.args), ...formatRows(command.options)];
  const table = rows.length > 0 ? `\n| option | |\n|---|---|\n${rows.join("\n")}\n` : "";
  return `### \`${head}\`\n\n${command.description}\n${table}`;
}

function formatRows(options: Options): string[] {
  return Object.values(options).map(
    ({ flags, description, isRequired }) =>
      `| \`${flags}\` | ${description}${isRequired && flags.startsWith("--") ? " Required." : ""} |`,
  );
}

function formatEnvExample(): string {
  const page = fs.readFileSync(path.join(root, "docs/configuration.md"), "utf8");
  const rows = page.matchAll(/^\| `(\w+)` \| .+? \| (.+) \|$/gm);
  const sentences = new Map([...rows].map(([, name, sentence]) => [name, sentence]));
  const settings = listSettings().map(
    ({ name, fallback }) => `# ${sentences.get(name)}\n#${name}=${fallback}\n`,
  );
  return `# Settings of Starpost: copy to .env and remove the # of what you change. Every value is the default.\n\n${settings.join("\n")}`;
}
