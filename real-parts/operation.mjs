// Programs that Starpost runs beside.
import fs from "node:fs/promises";
import path from "node:path";
import { freePort } from "./service.mjs";
import {
  assert,
  makeCertificate,
  openFolder,
  python,
  root,
  run,
  testWith,
  Unavailable,
  vitest,
  whileRunning,
} from "./tools.mjs";

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
      await whileRunning({ program, args: ["-d", "-f", config], port }, async () => {
        const found = await lookAtMail(folder, port);
        assert(found.state === "ok" && /greets/.test(found.detail), found.detail);
      });
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
      await whileRunning({ program: tools.bin("python"), args: ["-c", code], port }, async () => {
        const refused = await lookAtMail(folder, port);
        assert(/certificate is self-signed/.test(refused.detail), refused.detail);
        const trusted = await lookAtMail(folder, port, { NODE_EXTRA_CA_CERTS: cert });
        assert(trusted.state === "ok", trusted.detail);
      });
      return tools.version("aiosmtpd");
    },
  },
  {
    name: "oidc-provider, which enforces how the client authenticates",
    async run() {
      const missing = await vitest([
        "src/dashboard-api/account/provider-settings.test.ts",
        "src/dashboard-api/account/provider-sign-in.test.ts",
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
    name: "PgBouncer in transaction mode",
    run: () =>
      testWith("pgbouncer", {
        hint: "Debian: pgbouncer",
        pattern: /PgBouncer ([\d.]+)/,
        file: "test/product/pooler.test.ts",
      }),
  },
  {
    name: "dbt over the SQL views: test and show run, run is refused",
    async run({ command, workspace }) {
      // A source package of its parser downloads from elsewhere than the registry.
      const wheels = ["--only-binary", ":all:"];
      const tools = await python("dbt", [...wheels, "dbt-core", "dbt-postgres"]);
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
