// The Helm chart. Its output is kept in test/fixtures/kubernetes.yaml, so that the manifests are checked on machines
// without Helm too. Where Helm is installed (in PATH, or named by HELM), the chart is rendered and compared with that file.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Deployment } from "kubernetes-types/apps/v1.d.ts";
import type { ConfigMap, Secret } from "kubernetes-types/core/v1.d.ts";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { listSettings } from "../../src/config/config.ts";
import { root } from "../support/source-tree.ts";

const chart = path.join(root, "packaging/helm/starpost");
const fixture = path.join(root, "test/fixtures/kubernetes.yaml");
const helm = process.env["HELM"] ?? "helm";
const hasHelm = spawnSync(helm, ["version"]).status === 0;
// Settings and values that reach every template.
const database = "secrets.DATABASE_URL=postgresql://starpost:example@postgres:5432/starpost";
const values = [
  database,
  "settings.PUBLIC_URL=https://reviews.example.com",
  "ingress.enabled=true",
  "ingress.host=reviews.example.com",
  "ingress.tlsSecret=reviews-example-com",
];
if (process.env["UPDATE_DOCS"] !== undefined && hasHelm) {
  fs.writeFileSync(fixture, `# Chart ${fingerprint()}\n${renderWith(values).stdout}`);
}

type Manifest = { apiVersion: string; kind: string };

const read = (file: string): string => fs.readFileSync(path.join(root, file), "utf8");

function renderWith(pairs: string[]) {
  const args = ["template", "starpost", chart, "--kube-version", "1.31.0"];
  const set = pairs.flatMap((pair) => ["--set", pair]);
  return spawnSync(helm, [...args, ...set], { encoding: "utf8" });
}

/** A hash of the chart's files, so that a change without a new fixture fails where Helm is missing as well. */
function fingerprint(): string {
  const names = fs.readdirSync(chart, { recursive: true, encoding: "utf8" }).sort();
  const files = names.filter((name) => fs.statSync(path.join(chart, name)).isFile());
  const hash = createHash("sha256");
  for (const name of files)
    hash.update(`${name}\0`).update(fs.readFileSync(path.join(chart, name)));
  return hash.digest("hex");
}

function parseManifests(text: string): Manifest[] {
  const documents = parseAllDocuments(text);
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  return documents.map((document) => document.toJS() as Manifest);
}

const kindsOf = (manifests: Manifest[]): string[] => manifests.map(({ kind }) => kind).sort();

/** Compiles the manifests against the API of Kubernetes: unknown fields and wrong types are errors. */
function listTypeErrors(manifests: Manifest[]): string[] {
  const types = path.join(root, "node_modules/kubernetes-types");
  const lines = manifests.map((manifest) => {
    const group = manifest.apiVersion.replace(/^v1$/, "core/v1").replace(".k8s.io", "");
    const type = `import("${types}/${group}.d.ts").${manifest.kind}`;
    return `export const ${manifest.kind}: ${type} = ${JSON.stringify(manifest)};`;
  });
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "starpost-chart-"));
  const file = path.join(folder, "manifests.ts");
  fs.writeFileSync(file, lines.join("\n"));
  const tsc = path.join(root, "node_modules/typescript/bin/tsc");
  const options = ["--ignoreConfig", "--noEmit", "--strict", "--types", ""];
  const { stdout } = spawnSync(process.execPath, [tsc, ...options, file], { encoding: "utf8" });
  fs.rmSync(folder, { recursive: true });
  return stdout.split("\n").filter((line) => line.includes("error"));
}

describe("the rendered chart", () => {
  const text = fs.readFileSync(fixture, "utf8");
  const manifests = parseManifests(text);
  const find = <T>(kind: string): T => manifests.find((manifest) => manifest.kind === kind) as T;
  const pod = find<Deployment>("Deployment").spec?.template.spec;
  const container = pod?.containers[0];

  test("was rendered from the chart as it is", () => {
    expect(text.split("\n")[0]).toBe(`# Chart ${fingerprint()}`);
  });

  test("has the manifests of an installation, with the version of the package", () => {
    expect(kindsOf(manifests)).toEqual([
      "ConfigMap",
      "Deployment",
      "Ingress",
      "PersistentVolumeClaim",
      "Secret",
      "Service",
    ]);
    const { version } = JSON.parse(read("package.json")) as { version: string };
    expect(container?.image).toBe(`ghcr.io/starpost/starpost:${version}`);
  });

  test("fits the types of the Kubernetes API, which refuse a misspelt field", () => {
    expect(listTypeErrors(manifests)).toEqual([]);
    const misspelt = JSON.parse(JSON.stringify(manifests).replace("livenessProbe", "liveProbe"));
    expect(listTypeErrors(misspelt)).toEqual([expect.stringContaining("liveProbe")]);
  });

  test("sets settings that exist and probes paths that the service has", () => {
    const known = new Set(listSettings().map(({ name }) => name));
    const names = [
      ...(container?.env?.map(({ name }) => name) ?? []),
      ...Object.keys({
        ...find<ConfigMap>("ConfigMap").data,
        ...find<Secret>("Secret").stringData,
      }),
    ];
    expect(names).toContain("DATABASE_URL");
    expect(names.filter((name) => !known.has(name))).toEqual([]);
    const routes = read("src/app/http-server.ts");
    for (const probe of [container?.livenessProbe, container?.readinessProbe]) {
      expect(routes).toContain(`app.get("${probe?.httpGet?.path}"`);
    }
  });

  test("leaves every setting to the values but those that its probes and volume rely on", () => {
    expect(container?.env?.map(({ name }) => name)).toEqual(["PORT", "DATA_DIR"]);
    expect(read("packaging/Dockerfile")).toMatch(/^ENV .*HOST=::/m);
  });

  test("runs as the user of the image, with a read-only root and no capability", () => {
    const [, uid] = /--uid (\d+)/.exec(read("packaging/Dockerfile")) ?? [];
    expect(pod?.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: Number(uid) });
    expect(container?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
  });
});

describe.skipIf(!hasHelm)("with Helm", () => {
  test("the chart passes the linter and renders as the fixture", () => {
    expect(spawnSync(helm, ["lint", "--strict", chart, "--set", database]).status).toBe(0);
    const [, kept] = /^.*\n([\s\S]*)$/.exec(fs.readFileSync(fixture, "utf8")) ?? [];
    expect(renderWith(values).stdout).toBe(kept);
  });

  test.each([
    ["no database", [], /set secrets\.DATABASE_URL/],
    ["two replicas on one volume", [database, "replicas=2"], /more than one replica/],
    ["a port of its own", [database, "settings.PORT=9000"], /PORT has no effect/],
    ["another folder", [database, "secrets.DATA_DIR=/x"], /DATA_DIR has no effect/],
    ["neither volume nor key", [database, "persistence.enabled=false"], /ENCRYPTION_KEY/],
  ])("%s is refused before anything is installed", (_, pairs, message) => {
    const { status, stderr } = renderWith(pairs);
    expect([status, stderr]).toEqual([1, expect.stringMatching(message)]);
  });

  test("several replicas share an existing secret and need no volume", () => {
    const pairs = ["existingSecret=mine", "replicas=3", "persistence.enabled=false"];
    const { stdout } = renderWith(pairs);
    const manifests = parseManifests(stdout);
    expect(kindsOf(manifests)).toEqual(["ConfigMap", "Deployment", "Service"]);
    expect(listTypeErrors(manifests)).toEqual([]);
    expect(stdout).toContain("name: mine");
  });
});
