// starpost backup and restore: the whole database in one file.

import { type Command, command } from "../../cli/command.ts";
import { openMaintenance } from "../../cli/maintenance.ts";
import { pathOf } from "../../cli/named-file.ts";
import { flag, required } from "../../cli/option.ts";
import { runBackup, runRestore } from "./run-backup.ts";

const file = required("<file>", "The file, for example starpost-2026-11-21.tar.gz.");

export const commands: Command[] = [
  command({
    name: "backup",
    args: { file },
    options: {
      withKey: flag(
        "--with-key",
        "Put the encryption key into the file, too: then keep it secret.",
      ),
    },
    async runAlone(shell, values) {
      const place = { ...values, file: pathOf(values.file) };
      const result = await runBackup(await openMaintenance(shell), place);
      const lines = result.hasKey
        ? ["It holds the encryption key: whoever has it can read every stored secret."]
        : [
            "It does not hold the encryption key. Keep that apart from it: without the key, webhook",
            "secrets and store credentials can't be decrypted. --with-key puts it into the file.",
          ];
      return { value: result, lines };
    },
  }),
  command({
    name: "restore",
    args: { file },
    async runAlone(shell, values) {
      const place = { file: pathOf(values.file) };
      const result = await runRestore(await openMaintenance(shell), place);
      const lines = result.missingKeys.length
        ? [
            `The encryption key ${result.missingKeys.join(", ")} is missing: set ENCRYPTION_KEY to it, or copy`,
            "starpost.key of the data folder that the backup comes from, before you start the service.",
          ]
        : [];
      return { value: result, lines };
    },
  }),
];
