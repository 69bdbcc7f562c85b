// The files of packaging/, in the programs that they are for.
import fs from "node:fs/promises";
import path from "node:path";
import { assert, go, machine, openFolder, python, root, run, testWith, vitest } from "./tools.mjs";

const chart = path.join(root, "packaging/helm/starpost");
const helmTemplate = ["template", "starpost", chart, "--kube-version", "1.31.0"];
const database = "secrets.DATABASE_URL=postgresql://starpost:example@postgres:5432/starpost";

let helm = null;
const loadHelm = () => {
  helm ??= go("helm.sh/helm/v3/cmd/helm", "v3.18.6", "helm");
  return helm;
};

async function refuses(program, args, pattern) {
  const output = await run(program, args).then(
    () => null,
    (error) => error.message,
  );
  assert(output !== null && pattern.test(output), `${args.at(-1)} was not refused: ${output}`);
}

export const parts = [
  {
    name: "systemd: the unit is valid, and its exposure at most 3.5 of 10",
    async run() {
      const version = await machine("systemd-analyze", ["--version"], "Debian: systemd");
      const unit = path.join(root, "packaging/systemd/starpost.service");
      const limit = ["--offline=true", "--threshold=35"];
      await run("systemd-analyze", ["security", ...limit, "--no-pager", unit]);
      return /systemd (\d+)/.exec(version)?.[1];
    },
  },
  {
    name: "Helm: lint, numbers, names that the chart does not know, metrics",
    async run() {
      const program = await loadHelm();
      const folder = await openFolder("helm");
      await run(program, ["lint", "--strict", chart, "--set", database]);
      const numbers = path.join(folder, "numbers.yaml");
      const quoted = path.join(folder, "quoted.yaml");
      await fs.writeFile(numbers, "settings: { TRANSLATE_CHARACTERS_PER_DAY: 5000000 }\n");
      await fs.writeFile(quoted, 'settings: { TRANSLATE_CHARACTERS_PER_DAY: "5000000" }\n');
      const template = [...helmTemplate, "--set", database];
      // A number of YAML has lost its form: the schema asks for a text.
      await refuses(program, [...template, "-f", numbers], /TRANSLATE_CHARACTERS_PER_DAY|string/);
      const rendered = await run(program, [...template, "-f", quoted]);
      assert(
        rendered.includes('TRANSLATE_CHARACTERS_PER_DAY: "5000000"'),
        "the number was changed",
      );
      for (const unknown of ["replicaCount=3", "fullnameOverride=x", "ingres.enabled=true"])
        await refuses(
          program,
          [...template, "--set", unknown],
          /additional properties|not allowed/i,
        );
      const withMetrics = await run(program, [
        ...template,
        "--set-string",
        "settings.METRICS_PORT=9464",
      ]);
      assert(/name: metrics/.test(withMetrics), "the metrics have no port");
      const missing = await vitest(["test/product/helm.test.ts"], { HELM: program });
      const version = /v([\d.]+)/.exec(await run(program, ["version", "--short"]))?.[1];
      return { version, missing };
    },
  },
  {
    name: "kubernetes-validate, strict, for 1.25 and 1.31",
    async run() {
      const tools = await python("kubernetes-validate", ["kubernetes-validate"]);
      const program = await loadHelm();
      const folder = await openFolder("kubernetes-validate");
      const file = path.join(folder, "manifests.yaml");
      const more = ["--set", "ingress.enabled=true", "--set", "ingress.host=reviews.example.com"];
      const rendered = await run(program, [...helmTemplate, "--set", database, ...more]);
      await fs.writeFile(file, rendered);
      for (const version of ["1.25", "1.31"])
        await tools.run("kubernetes-validate", ["--strict", "--version", version, file]);
      return tools.version("kubernetes-validate");
    },
  },
  {
    name: "promtool",
    run: () =>
      testWith("promtool", {
        hint: "Debian: prometheus",
        pattern: /version ([\d.]+)/,
        file: "test/product/monitoring.test.ts",
      }),
  },
];
