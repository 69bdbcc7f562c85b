// Programs that run Starpost, or that it runs beside.
import { spawn } from "node:child_process";
import fs from "node:fs/promises";
import path from "node:path";
import { canConnect, freePort, waitFor } from "./service.mjs";
import {
  assert,
  go,
  machine,
  openFolder,
  python,
  root,
  run,
  Unavailable,
  vitest,
} from "./tools.mjs";

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

/** A certificate for 127.0.0.1 that no authority has signed. */
async function makeCertificate(folder) {
  const [key, cert] = ["key.pem", "cert.pem"].map((name) => path.join(folder, name));
  const names = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
  await run("openssl", [
    ...[
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:prime256v1",
      "-nodes",
      "-days",
      "2",
    ],
    ...[...names, "-keyout", key, "-out", cert],
  ]);
  await fs.chmod(key, 0o600);
  return { key, cert };
}

/** The line of `starpost doctor` about the mail server at this port. */
async function lookAtMail(folder, port, more = {}) {
  const env = {
    ...{ ...process.env, DATA_DIR: folder, PORT: "0", EMAIL_FROM: "starpost@example.com" },
    ...{ SMTP_URL: `smtp://127.0.0.1:${port}`, ...more },
  };
  const cli = path.join(root, "dist/src/cli.js");
  const output = await run(process.execPath, [cli, "doctor", "--json"], { env }).catch(
    // It ends with 1 where stores can't be reached.
    (error) => error.cause.stdout,
  );
  return JSON.parse(output).find(({ check }) => check === "mail server");
}

async function writeDbtProject(folder, url) {
  const columns = [{ name: "id", data_tests: ["not_null", "unique"] }];
  const tables = [{ name: "reviews", columns }, { name: "ratings" }, { name: "trends" }];
  const connection = {
    ...{ type: "postgres", host: url.hostname, port: Number(url.port), user: url.username },
    ...{ password: url.password, dbname: url.pathname.slice(1), schema: "own", threads: 1 },
  };
  const documents = {
    "dbt_project.yml": { name: "starpost", profile: "starpost", "model-paths": ["models"] },
    "profiles.yml": { starpost: { target: "own", outputs: { own: connection } } },
    "models/sources.yml": { sources: [{ name: "starpost", schema: "starpost_v1", tables }] },
  };
  await fs.mkdir(path.join(folder, "models"));
  // JSON is YAML.
  for (const [name, document] of Object.entries(documents))
    await fs.writeFile(path.join(folder, name), JSON.stringify(document));
  await fs.writeFile(
    path.join(folder, "models/by_rating.sql"),
    "select rating, count(*) as reviews from {{ source('starpost', 'reviews') }} group by rating order by rating",
  );
}

export const parts = [
  {
    name: "OpenSMTPD, greeted",
    async run() {
      const program = "/usr/sbin/smtpd";
      await fs.access(program).catch(() => {
        throw new Unavailable(`${program} is missing (Debian: opensmtpd)`);
      });
      if (process.getuid() !== 0) throw new Unavailable("OpenSMTPD can be started by root alone");
      const folder = await openFolder("opensmtpd");
      const port = await freePort();
      const config = path.join(folder, "smtpd.conf");
      const lines = [`listen on 127.0.0.1 port ${port}`, 'action "relay" relay'];
      await fs.writeFile(config, `${lines.join("\n")}\nmatch from local for any action "relay"\n`);
      const child = spawn(program, ["-d", "-f", config], { stdio: "ignore" });
      try {
        await waitFor(() => canConnect(port));
        const found = await lookAtMail(folder, port);
        assert(found.state === "ok" && /greets/.test(found.detail), found.detail);
      } finally {
        child.kill("SIGTERM");
      }
      const usage = await run(program, ["-h"]).catch((error) => error.message);
      return /OpenSMTPD ([\w.]+)/.exec(usage)?.[1];
    },
  },
  {
    name: "aiosmtpd with TLS: a certificate that no authority has signed is named, and can be trusted",
    async run() {
      const tools = await python("aiosmtpd", ["aiosmtpd"]);
      const folder = await openFolder("aiosmtpd");
      const { key, cert } = await makeCertificate(folder);
      const port = await freePort();
      const code = `
import ssl, time
from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Sink
context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
context.load_cert_chain("${cert}", "${key}")
Controller(Sink(), hostname="127.0.0.1", port=${port}, tls_context=context, require_starttls=True).start()
time.sleep(60)
`;
      const child = spawn(tools.bin("python"), ["-c", code], { stdio: "ignore" });
      try {
        await waitFor(() => canConnect(port));
        const refused = await lookAtMail(folder, port);
        assert(/certificate is self-signed/.test(refused.detail), refused.detail);
        const trusted = await lookAtMail(folder, port, { NODE_EXTRA_CA_CERTS: cert });
        assert(trusted.state === "ok", trusted.detail);
      } finally {
        child.kill("SIGTERM");
      }
      return tools.version("aiosmtpd");
    },
  },
  {
    name: "oidc-provider, which enforces how the client authenticates",
    async run() {
      const missing = await vitest([
        "src/dashboard-api/session/provider-settings.test.ts",
        "src/dashboard-api/session/provider-sign-in.test.ts",
      ]);
      const manifest = path.join(root, "node_modules/oidc-provider/package.json");
      return { version: JSON.parse(await fs.readFile(manifest, "utf8")).version, missing };
    },
  },
  {
    name: "Authlib, which reads the client's secret from the header alone",
    async run() {
      const tools = await python("authlib", ["authlib"]);
      const { ClientSecretBasic } = await import("openid-client");
      const headers = new Headers();
      const client = { client_id: "starpost" };
      ClientSecretBasic("s3cret")({}, client, new URLSearchParams(), headers);
      const code = `
import sys
from authlib.oauth2.rfc6749.authenticate_client import authenticate_client_secret_basic
class Request:
    headers = {"Authorization": sys.argv[1]}
class Client:
    def check_client_secret(self, secret): return secret == "s3cret"
found = authenticate_client_secret_basic(lambda name: Client() if name == "starpost" else None, Request())
assert found is not None, sys.argv[1]
`;
      await tools.run("python", ["-c", code, headers.get("authorization")]);
      return tools.version("authlib");
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
      const missing = await vitest(["test/helm.test.ts"], { HELM: program });
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
    async run() {
      const version = await machine("promtool", ["--version"], "Debian: prometheus");
      const missing = await vitest(["test/monitoring.test.ts"]);
      return { version: /version ([\d.]+)/.exec(version)?.[1], missing };
    },
  },
  {
    name: "PgBouncer in transaction mode",
    async run() {
      const version = await machine("pgbouncer", ["--version"], "Debian: pgbouncer");
      const missing = await vitest(["test/pooler.test.ts"]);
      return { version: /PgBouncer ([\d.]+)/.exec(version)?.[1], missing };
    },
  },
  {
    name: "dbt over the SQL views: test and show run, run is refused",
    async run({ command, workspace }) {
      const tools = await python("dbt", ["dbt-core", "dbt-postgres"]);
      const folder = await openFolder("dbt");
      const made = await command(
        ...["sql-user", "create", "--workspace", workspace.id, "--name", "dbt"],
      );
      await writeDbtProject(folder, new URL(made.url));
      const dbt = (...args) =>
        tools.run("dbt", [...args, "--profiles-dir", ".", "--no-use-colors"], { cwd: folder });
      await dbt("test");
      const shown = await dbt("show", "--select", "by_rating", "--output", "json");
      assert(/"rating": 1,\s+"reviews": 8\b/.test(shown), shown);
      const refused = await dbt("run").catch((error) => error.message);
      assert(/read-only transaction|permission denied/.test(refused), refused);
      await command("sql-user", "remove", made.id, "--yes");
      return tools.version("dbt-core");
    },
  },
  {
    name: "the release gate against its service, other servers and other apps",
    async run(world) {
      const script = path.join(root, "examples/release-verdict/verdict.sh");
      const judge = async (more) => {
        const env = {
          ...process.env,
          ...{ STARPOST_URL: world.url, STARPOST_KEY: world.key, STARPOST_APP: world.app.id },
          ...{ STARPOST_VERSION: "4.2.1", ...more },
        };
        return run("bash", [script], { env }).then(
          () => 0,
          (error) => error.cause.code,
        );
      };
      const cases = [
        [{}, [0, 1, 2]],
        [{ STARPOST_URL: `${world.url}/api/v1` }, [0, 1, 2]],
        [{ STARPOST_VERSION: "9.9.9" }, [2]],
        [{ STARPOST_APP: "00000000-0000-4000-8000-000000000000" }, [3]],
        [{ STARPOST_KEY: "sp_wrong" }, [3]],
        [{ STARPOST_URL: `${world.url}/docs` }, [3]],
        [{ STARPOST_URL: "http://127.0.0.1:1" }, [2, 3]],
      ];
      for (const [more, codes] of cases) {
        const code = await judge(more);
        assert(codes.includes(code), `${JSON.stringify(more)} ends with ${code}`);
      }
    },
  },
];
