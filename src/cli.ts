#!/usr/bin/env node
// The command `starpost`: runs the command line and exits with its code.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `error: Starpost needs Node 20.19 or newer; this is ${process.versions.node}\n`,
  );
  process.exit(1);
}
// Loaded after the check: an older Node can't link them, and would print a stack instead of the sentence.
const { createServices, openContext } = await import("./cli/context.ts");
const { runCli } = await import("./cli/run.ts");

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
