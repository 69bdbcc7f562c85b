#!/usr/bin/env node
// The command `starpost`: runs the command line and exits with its code.
import { createServices, openContext } from "./cli/context.ts";
import { runCli } from "./cli/run.ts";

// A closed pipe is handled where the text is written.
process.stdout.on("error", () => {});

const services = createServices((line) => process.stderr.write(`${line} …\n`));
process.exitCode = await runCli(process.argv.slice(2), {
  ...services,
  openContext,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
