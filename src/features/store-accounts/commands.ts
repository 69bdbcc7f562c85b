// starpost credential: a workspace's own accounts at the stores. A key is never shown again.

import { type Command, command } from "../../cli/command.ts";
import { readNamedFile } from "../../cli/named-file.ts";
import { operate } from "../../cli/operate.ts";
import {
  optional,
  reference,
  required,
  workspaceFilter,
  workspaceOption,
} from "../../cli/option.ts";
import { requireScope } from "../../use-cases/workspaces/workspaces.ts";
import { addCredential, removeCredential } from "./operations.ts";

const columns = ["name", "store", "subject", "createdAt", "id"];
// The longest real key file has under 3 kB.
const keyFileBytesMax = 100_000;

export const commands: Command[] = [
  command({
    name: "credential add",
    description: "Add an account at a store. Its key is kept encrypted and never shown again.",
    options: {
      workspace: workspaceOption("The workspace it belongs to."),
      store: required("--store <store>", "appstore (App Store Connect) or googleplay."),
      name: required("--name <name>", "How it is called here."),
      keyFile: required("--key-file <file>", "Apple's .p8 file, or the service account's JSON."),
      keyId: optional("--key-id <id>", "The key's id (appstore)."),
      issuerId: optional(
        "--issuer-id <id>",
        "The team's issuer id (appstore); none for the key of a single user.",
      ),
      bucket: optional("--bucket <name>", "Play Console's report bucket (googleplay)."),
    },
    async run(context, values) {
      const { workspace: workspaceId, keyFile: name, ...entered } = values;
      const keyFile = await readNamedFile(name, { field: "keyFile", bytesMax: keyFileBytesMax });
      const request = { workspaceId, values: { ...entered, keyFile: keyFile.toString() } };
      return { value: (await operate(context, addCredential, request)).result };
    },
  }),
  command({
    name: "credential list",
    description: "List accounts at stores, without their keys.",
    options: { workspace: workspaceFilter() },
    async run({ database }, { workspace }) {
      const scope = await requireScope(database, workspace ?? null);
      return { value: await database.listCredentials(scope), columns };
    },
  }),
  command({
    name: "credential remove",
    description: "Remove an account that no app is read through.",
    args: {
      id: reference("credential", { flags: "<credential>", description: "Its id or name." }),
    },
    question: async () => "Remove the account? Its key is deleted and has to be entered again.",
    async run(context, { id }) {
      return { value: (await operate(context, removeCredential, { id })).result };
    },
  }),
];
