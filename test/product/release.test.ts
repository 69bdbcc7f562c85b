// The release script dates the changelog and refuses versions that differ; check-package refuses packages that npm can't
// publish.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { root } from "../support/source-tree.ts";

const pythonProject = "sdk/python/pyproject.toml";
let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "starpost-release-"));
  fs.mkdirSync(path.join(folder, "sdk/python"), { recursive: true });
  for (const file of ["package.json", "package-lock.json", "sdk/package.json"])
    write(file, "2.1.0");
  fs.writeFileSync(path.join(folder, pythonProject), 'version = "2.1.0"\n');
  fs.writeFileSync(
    path.join(folder, "CHANGELOG.md"),
    "# Changelog\n\n## 2.1.0 – unreleased\n\n- New.\n",
  );
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

function write(file: string, version: string): void {
  fs.writeFileSync(path.join(folder, file), JSON.stringify({ version }));
}

function release() {
  const program = path.join(root, "bin/release.mjs");
  return spawnSync(process.execPath, [program], { cwd: folder, encoding: "utf8" });
}

test("the unreleased section gets its day, once", () => {
  expect(release()).toMatchObject({ status: 0, stdout: expect.stringContaining("git tag v2.1.0") });
  const changelog = fs.readFileSync(path.join(folder, "CHANGELOG.md"), "utf8");
  expect(changelog).toMatch(/^## 2\.1\.0 – \d{4}-\d\d-\d\d\n\n- New\.$/m);
  expect(release()).toMatchObject({ status: 1, stderr: expect.stringContaining("no section") });
});

test("packages of another version are refused", () => {
  write("sdk/package.json", "2.0.0");
  expect(release()).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("sdk/package.json"),
  });
});

test("a client library for Python of another version is refused", () => {
  fs.writeFileSync(path.join(folder, pythonProject), 'version = "2.0.0"\n');
  expect(release()).toMatchObject({ status: 1, stderr: expect.stringContaining(pythonProject) });
});

test("the versions of this checkout agree, and the changelog has them", () => {
  const versionOf = (file: string): string =>
    JSON.parse(fs.readFileSync(path.join(root, file), "utf8")).version;
  const version = versionOf("package.json");
  expect(
    ["sdk/package.json", "dashboard/package.json", "package-lock.json"].map(versionOf),
  ).toEqual([version, version, version]);
  const python = fs.readFileSync(path.join(root, pythonProject), "utf8");
  expect(python).toContain(`\nversion = "${version}"\n`);
  const changelog = fs.readFileSync(path.join(root, "CHANGELOG.md"), "utf8");
  expect(/^## (\S+) – /m.exec(changelog)?.[1]).toBe(version);
});

test("each release of the changelog has its highlights first, then what was added, changed and fixed", () => {
  const changelog = fs.readFileSync(path.join(root, "CHANGELOG.md"), "utf8");
  const releases = changelog.split(/^## /m).slice(1);
  expect(releases.length).toBeGreaterThan(0);
  for (const release of releases) {
    const parts = [...release.matchAll(/^### (.+)$/gm)].map(([, part]) => part);
    expect(parts[0]).toBe("Highlights");
    const order = ["Highlights", "Added", "Changed", "Fixed"];
    expect(parts).toEqual(order.filter((part) => parts.includes(part)));
  }
});

describe("check-package", () => {
  const program = path.join(root, "bin/check-package.mjs");
  const files = ["package.json", "sdk/package.json", "dashboard/package.json"];
  const check = (cwd: string) =>
    spawnSync(process.execPath, [program, "--manifests"], { cwd, encoding: "utf8" });

  test("accepts the packages of this checkout", () => {
    expect(check(root)).toMatchObject({ status: 0, stderr: "" });
  });

  test.each(files)("refuses %s without a repository", (lacking) => {
    fs.mkdirSync(path.join(folder, "dashboard"));
    for (const file of files) {
      const { repository, ...rest } = JSON.parse(fs.readFileSync(path.join(root, file), "utf8"));
      expect(repository.url).toBe("git+https://github.com/starpost/starpost.git");
      const manifest = file === lacking ? rest : { ...rest, repository };
      fs.writeFileSync(path.join(folder, file), JSON.stringify(manifest));
    }
    const { status, stderr } = check(folder);
    expect([status, stderr]).toEqual([1, expect.stringContaining(`${lacking} lacks repository`)]);
  });
});
