// Files that a command line names: where they are looked for, and what of them is refused.
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { readNamedFile } from "./named-file.ts";

let folder: string;
beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-named-file-"));
  await fs.writeFile(path.join(folder, "setup.yaml"), "workspace: Reef");
});
afterAll(() => fs.rm(folder, { recursive: true }));
afterEach(() => void vi.unstubAllEnvs());

const read = (name: string, bytesMax = 100) => readNamedFile(name, { field: "file", bytesMax });

test("a relative path begins at the folder that npm was called from", async () => {
  await expect(read("setup.yaml")).rejects.toMatchObject({ fields: [{ field: "file" }] });
  vi.stubEnv("npm_lifecycle_event", "starpost");
  vi.stubEnv("INIT_CWD", folder);
  expect((await read("setup.yaml")).toString()).toBe("workspace: Reef");
});

test("a file that is missing or too large is a fault of the field", async () => {
  const file = path.join(folder, "setup.yaml");
  await expect(read(file, 14)).rejects.toMatchObject({ code: "invalid_input" });
  await expect(read(path.join(folder, "nothing"))).rejects.toMatchObject({ code: "invalid_input" });
  await expect(read(folder)).rejects.toMatchObject({ code: "invalid_input" });
});
