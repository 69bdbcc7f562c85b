// Names as the rest of the machine completes them, and that slow names hold no others up.
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { completeName, createSystemNames } from "./host-names.ts";

const cluster =
  "search shop.svc.cluster.local svc.cluster.local\nnameserver 10.0.0.10\noptions ndots:5";

test.each([
  [
    "a short name",
    "receiver",
    cluster,
    ["receiver.shop.svc.cluster.local", "receiver.svc.cluster.local", "receiver"],
  ],
  [
    "a name with fewer dots",
    "a.other",
    cluster,
    ["a.other.shop.svc.cluster.local", "a.other.svc.cluster.local", "a.other"],
  ],
  [
    "a name with as many dots",
    "a.b.c.d.e.f",
    cluster,
    ["a.b.c.d.e.f", "a.b.c.d.e.f.shop.svc.cluster.local", "a.b.c.d.e.f.svc.cluster.local"],
  ],
  ["an absolute name", "receiver.", cluster, ["receiver"]],
  ["a name where there is no list", "receiver", "nameserver 10.0.0.10", ["receiver"]],
  [
    "a full name by default",
    "hooks.example.com",
    "search lan",
    ["hooks.example.com", "hooks.example.com.lan"],
  ],
  ["a short name by default", "nas", "domain lan.\n# search other", ["nas.lan", "nas"]],
])("%s is completed as resolv.conf says", (_, name, content, expected) => {
  expect(completeName(name, content)).toEqual(expected);
});

test("a name that only the system knows is found, and one that no source knows is not", async () => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-names-"));
  const file = path.join(folder, "resolv.conf");
  await fs.writeFile(file, "search starpost.invalid\n");
  const resolve = createSystemNames(file);
  expect(await resolve("localhost")).toEqual(expect.arrayContaining(["127.0.0.1"]));
  const unknown = await Promise.all(["a", "b", "c"].map((name) => resolve(`${name}.invalid`)));
  expect(unknown).toEqual([[], [], []]);
  await fs.rm(folder, { recursive: true });
}, 30_000);
