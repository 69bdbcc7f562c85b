import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createSymlinks, findBinaries } from "./binaries.ts";

async function unpackWithoutLinks(): Promise<string> {
  const home = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-test-"));
  onTestFinished(() => fs.rm(home, { recursive: true }));
  const root = path.join(home, "native");
  await fs.mkdir(path.join(root, "lib"), { recursive: true });
  await fs.writeFile(path.join(root, "lib", "libfoo.so.5.1"), "foo");
  const links = ["libfoo.so", "libfoo.so.5"].map((name) => ({
    source: "native/lib/libfoo.so.5.1",
    target: `native/lib/${name}`,
  }));
  await fs.writeFile(path.join(root, "pg-symlinks.json"), JSON.stringify(links));
  return root;
}

test("missing library links are made, also by several processes at once", async () => {
  const root = await unpackWithoutLinks();
  const made = await Promise.all([
    createSymlinks(root),
    createSymlinks(root),
    createSymlinks(root),
  ]);
  expect(made).toEqual([true, true, true]);
  for (const name of ["libfoo.so", "libfoo.so.5"]) {
    const file = path.join(root, "lib", name);
    expect(await fs.readlink(file)).toBe("libfoo.so.5.1");
    expect(await fs.readFile(file, "utf8")).toBe("foo");
  }
});

test("a package without a list of links needs none", async () => {
  const root = await unpackWithoutLinks();
  await fs.rm(path.join(root, "pg-symlinks.json"));
  expect(await createSymlinks(root)).toBe(true);
});

test("a platform without binaries is an error that names DATABASE_URL", async () => {
  const arch = Object.getOwnPropertyDescriptor(process, "arch");
  onTestFinished(() => {
    Object.defineProperty(process, "arch", arch ?? {});
  });
  Object.defineProperty(process, "arch", { ...arch, value: "mips" });
  await expect(findBinaries()).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("DATABASE_URL"),
  });
});
