// Turns what is unreleased into a release: gives the first section of CHANGELOG.md its day. The version is in
// package.json, in those of both client libraries and in that heading, and all must agree. Prints what to do next.
import fs from "node:fs";
import process from "node:process";
import { Command } from "commander";

/** Something to put right before a release; the message is for people. */
class ReleaseError extends Error {}

new Command("npm run release").parse();
const { version } = readJson("package.json");
try {
  requireSameVersions();
  const changelog = fs.readFileSync("CHANGELOG.md", "utf8");
  const heading = `## ${version} – unreleased\n`;
  if (!changelog.includes(heading)) fail(`CHANGELOG.md has no section "${heading.trim()}"`);
  const day = new Date().toISOString().slice(0, 10);
  fs.writeFileSync("CHANGELOG.md", changelog.replace(heading, `## ${version} – ${day}\n`));
  process.stdout.write(`CHANGELOG.md: ${version} – ${day}. Now:
  git commit -am "Release ${version}" && git tag v${version} && git push --follow-tags
The workflow "release" tests and publishes what the tag names.
`);
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

function requireSameVersions() {
  const lock = readJson("package-lock.json");
  const found = {
    "sdk/package.json": readJson("sdk/package.json").version,
    "sdk/python/pyproject.toml": /^version = "(.*)"$/m.exec(
      fs.readFileSync("sdk/python/pyproject.toml", "utf8"),
    )?.[1],
    "package-lock.json": lock.version,
  };
  for (const [file, other] of Object.entries(found)) {
    if (other !== version) fail(`${file} has version ${other}, package.json ${version}`);
  }
}

function fail(message) {
  throw new ReleaseError(message);
}

function readJson(file) {
  return JSON.parse(fs.readFileSync(file, "utf8"));
}
