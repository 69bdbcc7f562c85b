// Files of packaging/ and the workflows can't run here: what they name has to exist in this checkout.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { listSettings } from "../../src/config/config.ts";
import { root } from "../support/source-tree.ts";

const read = (file: string): string => fs.readFileSync(path.join(root, file), "utf8");
const { workspaces, scripts, bin, engines } = JSON.parse(read("package.json")) as {
  workspaces: string[];
  scripts: Record<string, string>;
  bin: { starpost: string };
  engines: { node: string };
};
const workflows = ["ci.yml", "release.yml", "guards.yml", "nightly.yml"].map((name) =>
  read(`.github/workflows/${name}`).replaceAll(/^\s*#.*$/gm, ""),
);

test("the image installs with the package files of every workspace, and copies what exists", () => {
  const dockerfile = read("packaging/Dockerfile");
  const [beforeInstall = ""] = dockerfile.split("RUN npm ci");
  for (const workspace of workspaces) {
    expect(beforeInstall).toContain(`COPY ${workspace}/package.json ${workspace}/`);
  }
  const sources = [...beforeInstall.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, list = ""]) =>
    list.split(" "),
  );
  expect(sources.filter((file) => !fs.existsSync(path.join(root, file)))).toEqual([]);
  expect(dockerfile).toContain(`ENTRYPOINT ["node", "${bin.starpost}"]`);
  expect(dockerfile).toMatch(/^USER starpost$/m);
});

test("container, compose and systemd set settings that there are", () => {
  const known = new Set([...listSettings().map(({ name }) => name), "NODE_ENV"]);
  const files = ["packaging/Dockerfile", "packaging/systemd/starpost.service"];
  const inline = files.flatMap((file) =>
    [...read(file).matchAll(/^(?:ENV |Environment=)(.+)$/gm)].flatMap(([, list = ""]) =>
      list.split(" ").map((pair) => pair.split("=")[0] ?? ""),
    ),
  );
  const [, service = ""] =
    /\n {2}starpost:\n([\s\S]*?)\n {2}\w/.exec(read("packaging/compose.yaml")) ?? [];
  const composed = [...service.matchAll(/^ {6}([A-Z_]+): /gm)].map(([, name = ""]) => name);
  expect(composed).toContain("DATABASE_URL");
  expect([...inline, ...composed].filter((name) => !known.has(name))).toEqual([]);
  expect(read("packaging/systemd/starpost.service")).toContain(
    `/opt/starpost/${bin.starpost} serve`,
  );
});

test("the workflows run scripts that there are, on the lowest Node that is supported and on that of the image", () => {
  const named = workflows.flatMap((text) => [
    ...text.matchAll(/npm (?:run )?(?:--silent )?([\w-]+)/g),
  ]);
  const ofNpm = ["audit", "ci", "pack", "publish"];
  const missing = named.filter(([, name = ""]) => !ofNpm.includes(name) && !(name in scripts));
  expect(missing.map(([line]) => line)).toEqual([]);
  const [, versions = ""] = /node: \[(.+)\]/.exec(workflows[0] ?? "") ?? [];
  const tested = versions.split(", ").map((text) => text.replaceAll('"', ""));
  expect(`>=${tested[0]}`).toBe(engines.node);
  const [, ofImage = ""] = /^FROM node:(\d+)/m.exec(read("packaging/Dockerfile")) ?? [];
  expect(tested).toContain(ofImage);
});

test("a signal to `npm start` or `npm run demo` reaches the service, because the shell is replaced by it", () => {
  for (const name of ["start", "demo"]) {
    expect(scripts[name]).toMatch(/&& exec node dist\/src\/cli\.js \w+$/);
  }
});

test("the systemd unit permits listing network interfaces and signals only the main process", () => {
  const unit = read("packaging/systemd/starpost.service");
  expect(unit).toMatch(/^RestrictAddressFamilies=.*\bAF_NETLINK\b/m);
  expect(unit).toMatch(/^KillMode=mixed$/m);
});

test("commands beside the systemd unit run as its user on its folder, and the unit has no settings of its own", () => {
  const unit = read("packaging/systemd/starpost.service");
  const [, folder = ""] = /^WorkingDirectory=(.+)$/m.exec(unit) ?? [];
  const [, user = ""] = /^User=(.+)$/m.exec(unit) ?? [];
  expect(unit).not.toMatch(/EnvironmentFile|DATA_DIR=\S+ |DATABASE_URL=/);
  const program = ["/usr/bin/node", `${folder}/${bin.starpost}`, "backup", "a file"];
  const expected: Record<string, string[]> = {
    root: ["runuser", "-u", user, "--", ...program],
    ann: ["sudo", "-u", user, `STARPOST_FOLDER=${folder}`, ...program],
  };
  const bins = fs.mkdtempSync(path.join(os.tmpdir(), "starpost-wrapper-"));
  const stub = (name: string, text: string): void =>
    fs.writeFileSync(path.join(bins, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  for (const [name, line] of Object.entries(expected)) {
    stub("id", `echo ${name}`);
    for (const tool of ["runuser", "sudo"])
      stub(tool, `printf '%s\\n' ${tool} "$@" "$STARPOST_FOLDER"`);
    const script = path.join(root, "packaging/systemd/starpost");
    const env = { PATH: `${bins}:${process.env["PATH"]}` };
    const { stdout } = spawnSync("sh", [script, "backup", "a file"], { encoding: "utf8", env });
    expect(stdout.trimEnd().split("\n")).toEqual([...line, folder]);
  }
  fs.rmSync(bins, { recursive: true });
});

test("the tests that real parts run are there", () => {
  const scripts = fs.readdirSync(path.join(root, "real-parts")).map((name) => `real-parts/${name}`);
  const named = scripts.flatMap((file) => [...read(file).matchAll(/"((?:src|test)\/[^"]+)"/g)]);
  expect(named.length).toBeGreaterThan(5);
  const missing = named.filter(([, file = ""]) => !fs.existsSync(path.join(root, file)));
  expect(missing.map(([, file]) => file)).toEqual([]);
});

test("compose drops what no container needs, and trusts the gateway of its own network alone", () => {
  const compose = read("packaging/compose.yaml");
  expect(compose.match(/cap_drop: \[ALL\]/g)).toHaveLength(2);
  expect(compose.match(/no-new-privileges:true/g)).toHaveLength(2);
  expect(compose).toContain("read_only: true");
  const [, gateway] = /gateway: (\S+)/.exec(compose) ?? [];
  expect(compose).toContain(`TRUSTED_PROXIES: ${gateway}/32`);
});

test("no job that may write or has a token runs a script of a package, and no checkout keeps its token", () => {
  const jobs = (workflows[1] ?? "").split(/\n {2}(?=\w+:\n)/).slice(1);
  const powerful = jobs.filter((job) => /: write$/m.test(job) || job.includes("secrets."));
  expect(powerful.map((job) => job.split(":")[0])).toEqual(["publish", "image"]);
  for (const job of powerful) {
    expect(job).not.toMatch(
      /npm (?!publish "\$package" --ignore-scripts)|pipx run (?!--spec \w+==)/,
    );
  }
  for (const text of workflows) {
    const checkouts = text.match(/actions\/checkout@/g);
    expect(text.match(/persist-credentials: false/g) ?? []).toHaveLength(checkouts?.length ?? 0);
    expect(text.match(/uses: [\w./-]+@(?![0-9a-f]{40}\b)/g)).toBeNull();
  }
});

test("nothing is published before every test and every guard has passed", () => {
  const [, release = "", guards = ""] = workflows;
  const needed = new Map(
    [...release.matchAll(/\n {2}(\w+):\n(?: {4}(?!needs).*\n)* {4}needs: \[?([\w, ]+)/g)].map(
      ([, job = "", needs = ""]) => [job, needs.split(", ")],
    ),
  );
  const allBefore = (job: string): string[] =>
    (needed.get(job) ?? []).flatMap((before) => [before, ...allBefore(before)]);
  for (const job of ["publish", "image"]) {
    expect(allBefore(job)).toEqual(expect.arrayContaining(["ci", "guards"]));
  }
  for (const file of ["ci", "guards"]) {
    expect(release).toContain(`  ${file}:\n    uses: ./.github/workflows/${file}.yml`);
  }
  expect(guards).not.toContain("continue-on-error");
  for (const command of ["npm run real-parts", "npm run fuzz", "npm audit"]) {
    expect(guards).toContain(`- run: ${command}`);
  }
});

test("the bill of materials has every package of the lockfile that is no tool of development", () => {
  const script = path.join(root, "bin/write-sbom.mjs");
  const { status, stdout } = spawnSync(process.execPath, [script], { encoding: "utf8" });
  expect(status).toBe(0);
  const listed = new Set<string>(
    JSON.parse(stdout).components.map(({ purl }: { purl?: string }) => purl),
  );
  const { packages } = JSON.parse(read("package-lock.json")) as {
    packages: Record<string, { dev?: boolean; link?: boolean; version: string }>;
  };
  const missing = Object.entries(packages).filter(([folder, { dev, link, version }]) => {
    const name = folder.split("node_modules/").at(-1) ?? "";
    const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
    return folder.includes("node_modules/") && !dev && !link && !listed.has(purl);
  });
  expect(missing).toEqual([]);
  for (const name of ["nodemailer", "pino", "pg-protocol"]) {
    expect([...listed].some((purl) => purl?.startsWith(`pkg:npm/${name}@`))).toBe(true);
  }
});

test("issue forms have what GitHub requires: a name, a description, and fields with unique ids and labels", () => {
  const folder = ".github/ISSUE_TEMPLATE";
  const forms = fs.readdirSync(path.join(root, folder)).filter((name) => name !== "config.yml");
  expect(forms.length).toBeGreaterThan(2);
  for (const form of forms) {
    const { name, description, body } = parse(read(`${folder}/${form}`)) as {
      name: string;
      description: string;
      body: { type: string; id?: string; attributes: { label?: string; value?: string } }[];
    };
    expect([form, name, description]).not.toContain(undefined);
    const fields = body.filter(({ type }) => type !== "markdown");
    const types = new Set(fields.map(({ type }) => type));
    expect([...types].filter((type) => !/^(textarea|input|dropdown)$/.test(type))).toEqual([]);
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
    expect(fields.every(({ attributes }) => attributes.label !== undefined)).toBe(true);
  }
});
