#!/usr/bin/env node
// The command `starpost`: hands the command line to the table of commands and exits as it says.
import { openContext, openServices } from "./cli/context.ts";
import { runCli } from "./cli/run.ts";

// A reader that goes away is met where the text is written.
process.stdout.on("error", () => {});

const services = openServices((line) => process.stderr.write(`${line} …\n`));
process.exitCode = await runCli(process.argv.slice(2), {
  ...services,
  openContext,
  stdout: process.stdout,
  stderr: process.stderr,
});
