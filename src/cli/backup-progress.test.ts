// The progress of starpost backup, as a terminal and as a pipe show it.
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { runCli } from "./run.ts";

const unused = (): never => {
  throw new Error("a backup does not call this");
};

async function backUp(isTTY: boolean): Promise<string> {
  const stderr = Object.assign(new PassThrough(), { isTTY });
  const exitCode = await runCli(["backup", "starpost.tar.gz"], {
    openContext: unused,
    startService: unused,
    startDemo: unused,
    untilStopped: unused,
    loadConfig: unused,
    runDoctor: unused,
    runRestore: unused,
    runDistribute: unused,
    async runBackup({ file, note }) {
      for (const table of ["apps", "reviews"]) note(table);
      return { file, bytes: 1, hasKey: false, tableCount: 2, rowCount: 3, migration: "001" };
    },
    stdin: new PassThrough(),
    stdout: new PassThrough().resume(),
    stderr,
  });
  expect(exitCode).toBe(0);
  stderr.end();
  return text(stderr);
}

test("at a terminal, a backup shows its tables in one line, which is cleared before the result", async () => {
  const clear = "\r\u001b[K";
  expect(await backUp(true)).toBe(`${clear}apps${clear}reviews${clear}`);
  expect(await backUp(false)).toBe("apps\nreviews\n");
});
