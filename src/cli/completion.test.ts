import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { longFlagOf } from "./command.ts";
import { loadAllCommands } from "./commands.ts";
import { formatCompletion } from "./completion.ts";

const commands = await loadAllCommands();

test.each([
  ["", ["serve", "channel", "completion"]],
  ["chan", ["channel"]],
  ["channel ", ["create", "delete", "test"]],
  ["channel delete --", ["--yes", "--json", "--help"]],
  ["channel delete 0193a5 --y", ["--yes"]],
  ["deliveries tail --ch", ["--channel"]],
  ["channel create --type ", ["webhook", "slack"]],
  ["channel create --name Desk --type te", ["teams", "telegram"]],
  ["channel create --name ", ["--type", "--name"]],
])("bash completes `starpost %s`", (line, expected) => {
  const words = ["starpost", ...line.split(" ")];
  const quoted = words.map((word) => `'${word}'`).join(" ");
  const program = `${formatCompletion("bash", commands)}
COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _starpost; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync("bash", ["-c", program], { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(stdout.trim().split("\n")).toEqual(expect.arrayContaining(expected));
});

test("zsh and fish know every command and option", () => {
  const [zsh, fish] = [formatCompletion("zsh", commands), formatCompletion("fish", commands)];
  expect(zsh).toContain("bashcompinit");
  for (const { name, options } of commands) {
    expect(fish).toContain(`-a ${name.split(" ").at(-1)}`);
    for (const option of Object.values(options)) {
      const flag = longFlagOf(option);
      expect(zsh).toContain(flag);
      expect(fish).toContain(`-l ${flag.replace(/^--/, "")}`);
      for (const value of option.values ?? []) expect(fish).toContain(value);
    }
  }
});
