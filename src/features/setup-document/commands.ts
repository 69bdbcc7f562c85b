// starpost apply and export config: the set-up of a workspace as a file, on the database or over the API.
import fs from "node:fs/promises";
import path from "node:path";
import { createClient } from "../../../sdk/src/index.ts";
import { type Command, command, type Shell } from "../../cli/command.ts";
import { pathOf, readNamedFile } from "../../cli/named-file.ts";
import { operator, toOperationDeps } from "../../cli/operate.ts";
import { flag, list, optional, required, workspaceFilter } from "../../cli/option.ts";
import { readVariable } from "../../config/config.ts";
import { failField, parseInput } from "../../domain/validation-errors.ts";
import { decodeText } from "../../lib/text-lines.ts";
import { minuteMs } from "../../lib/timestamp.ts";
import { canParseUrl } from "../../lib/urls.ts";
import { applySetup, type SetupStep } from "./apply-setup.ts";
import { exportSetup } from "./export-setup.ts";
import { describeSetup, type Setup, setupSchema } from "./schema.ts";

const apiOptions = {
  url: optional("--url <url>", "Over the API of the service there, in place of the database."),
  key: optional("--key <key>", "With --url: a key of the scope manage; STARPOST_KEY unless given."),
};
const timeoutMs = 4 * minuteMs;

type ApiValues = { url: string | undefined; key: string | undefined };
type Applied = { setup: Setup; prunes: boolean; isRehearsal: boolean };

export const commands: Command[] = [
  command({
    name: "apply",
    options: {
      file: required("-f, --file <file>", "The file, as `starpost export config` writes it."),
      allowEnv: list(
        "--allow-env <names>",
        "Variables that the file may name as env:NAME; never settings of Starpost.",
      ),
      dryRun: flag("--dry-run", "Print the plan, and do nothing."),
      prune: flag("--prune", "Remove what a section of the file does not name."),
      detailedExitCode: flag(
        "--detailed-exit-code",
        "Exit with 3 when something was changed, or would be; with 0 when there is nothing to do.",
      ),
      ...apiOptions,
    },
    async runAlone(shell, values) {
      const setup = await readSetup(values.file, values.allowEnv ?? []);
      const applied = { setup, prunes: values.prune, isRehearsal: values.dryRun };
      const isRemote = values.url !== undefined;
      const steps = isRemote
        ? await applyOverApi(shell, values, applied)
        : await applyToDatabase(shell, applied);
      const isChanged = steps.some(({ action }) => action !== "skip");
      const lines = isChanged ? [] : ["Nothing to do."];
      const exitCode = isChanged && values.detailedExitCode ? 3 : 0;
      return { value: steps, columns: ["action", "kind", "name", "fields"], lines, exitCode };
    },
  }),
  command({
    name: "export config",
    description: "Write the set-up of a workspace as the file that `starpost apply` takes.",
    options: {
      workspace: workspaceFilter("Which one."),
      schema: flag("--schema", "Print the JSON Schema of the file instead, for editors."),
      ...apiOptions,
    },
    async runAlone(shell, values) {
      if (values.schema) {
        await shell.write(`${JSON.stringify(describeSetup(), null, 2)}\n`);
        return null;
      }
      const setup = await readStored(shell, values);
      if (shell.isJson) return { value: setup };
      const { stringify } = await import("yaml");
      await shell.write(stringify(setup));
      return null;
    },
  }),
];

async function openClient(shell: Shell, { url = "", key }: ApiValues) {
  if (!/^https?:/.test(url) || !canParseUrl(url)) {
    failField("url", "must be a URL that begins with http:// or https://");
  }
  const apiKey = key ?? (await shell.loadConfig()).starpostKey;
  if (!apiKey) failField("key", "is required with --url, unless STARPOST_KEY has it");
  return createClient({ baseUrl: url, apiKey: apiKey ?? "", timeoutMs });
}

async function readStored(
  shell: Shell,
  values: ApiValues & { workspace: string | undefined },
): Promise<object> {
  if (values.url !== undefined) return (await openClient(shell, values)).getSetup();
  if (values.workspace === undefined) return failField("workspace", "is required without --url");
  const { database } = await shell.context();
  return exportSetup(database, { workspaceId: values.workspace });
}

async function applyOverApi(
  shell: Shell,
  values: ApiValues,
  { setup, prunes: prune, isRehearsal: dryRun }: Applied,
): Promise<SetupStep[]> {
  const client = await openClient(shell, values);
  return (await client.applySetup(setup, { prune, dryRun })) as SetupStep[];
}

/** The operator answers for the recipients of e-mail channels. */
async function applyToDatabase(
  shell: Shell,
  { setup, prunes, isRehearsal }: Applied,
): Promise<SetupStep[]> {
  const context = await shell.context();
  if (setup.workspace === undefined) return failField("workspace", "the file does not name one");
  return applySetup(toOperationDeps(context), {
    setup,
    workspaceId: null,
    plan: context.defaultPlan,
    prunes,
    setsRoles: true,
    actor: operator,
    isRehearsal,
    onWarning: (warning) => shell.note(warning),
  });
}

const fileBytesMax = 1_000_000;

/** @throws AppError `invalid_input` that quotes no secret */
async function readSetup(file: string, variables: readonly string[]): Promise<Setup> {
  const { parseDocument } = await import("yaml");
  const document = parseDocument(await readText(file));
  const [fault] = document.errors;
  if (fault) failField("file", `${file} is no YAML: ${fault.message.split("\n")[0]}`);
  const parsed: unknown = document.toJS({ maxAliasCount: 100 });
  const folder = path.dirname(pathOf(file));
  return parseInput(setupSchema(), await resolveSecrets(parsed, { folder, variables }));
}

async function readText(file: string): Promise<string> {
  return decodeText(await readNamedFile(file, { field: "file", bytesMax: fileBytesMax }));
}

/** The author of the file may be another person than the one who runs the command, and its URLs could send what it reads. */
type Readable = { folder: string; variables: readonly string[] };

/** Replaces `env:NAME` and `file:PATH` in channels; a path begins at the folder of the file. */
async function resolveSecrets(setup: unknown, readable: Readable): Promise<unknown> {
  if (typeof setup !== "object" || setup === null || !("channels" in setup)) return setup;
  const { channels } = setup;
  if (!Array.isArray(channels)) return setup;
  const resolved = channels.map(async (channel: unknown) => {
    if (typeof channel !== "object" || channel === null) return channel;
    const fields = Object.entries(channel).map(async ([field, value]) => [
      field,
      field === "name" || typeof value !== "string" ? value : await resolveText(value, readable),
    ]);
    return Object.fromEntries(await Promise.all(fields));
  });
  return { ...setup, channels: await Promise.all(resolved) };
}

async function resolveText(text: string, { folder, variables }: Readable): Promise<string> {
  const [, kind, name = ""] = /^(env|file):(.+)$/.exec(text) ?? [];
  if (kind === "env") {
    if (!variables.includes(name)) {
      failField(
        "channels",
        `the file names the variable ${name}: allow it with --allow-env ${name}`,
      );
    }
    return (
      readVariable(name) ??
      failField("channels", `the variable ${name} is not set, or is a setting of Starpost`)
    );
  }
  if (kind !== "file") return text;
  const file = path.resolve(folder, name);
  if (!(await isBelow(folder, file))) {
    return failField("channels", `${name} is not below the folder of the file`);
  }
  return (await readText(file)).trim();
}

/** A missing file is reported when it is read. */
async function isBelow(folder: string, file: string): Promise<boolean> {
  // A link may lead elsewhere.
  const target = await fs.realpath(file).catch(() => file);
  const [first = ""] = path.relative(await fs.realpath(folder), target).split(path.sep);
  return first !== ".." && !path.isAbsolute(first);
}
