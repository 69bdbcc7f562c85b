// The files of packaging/, in the programs that they are for.
import fs from "node:fs/promises";
import http from "node:http";
import https from "node:https";
import path from "node:path";
import { freePort } from "./service.mjs";
import {
  assert,
  go,
  machine,
  makeCertificate,
  openFolder,
  python,
  root,
  run,
  testWith,
  vitest,
  whileRunning,
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

const host = "reviews.example.com";

/** Asks a proxy on this machine for a path of the host that its file names. */
async function ask({ client, port }, target) {
  const options = { host: "127.0.0.1", port, path: target, headers: { host } };
  return new Promise((resolve, reject) => {
    const request = client.get(
      { ...options, servername: host, rejectUnauthorized: false },
      (response) => {
        response.resume();
        response.once("end", () => resolve(response));
      },
    );
    request.once("error", reject);
  });
}

/** The proxy sends plain HTTP on to https, which answers, and says that it is the only way from now on. */
async function checkProxy({ plain, secure }) {
  const redirect = await ask({ client: http, port: plain }, "/reviews?stars=1");
  const { location } = redirect.headers;
  const found = `${redirect.statusCode} ${location}`;
  const sent = new RegExp(`^https://${host}(:${secure})?/reviews\\?stars=1$`);
  assert([301, 308].includes(redirect.statusCode) && sent.test(location), found);
  const { statusCode, headers } = await ask({ client: https, port: secure }, "/readyz");
  const promise = headers["strict-transport-security"];
  assert(statusCode === 200, `https answers ${statusCode}`);
  assert(
    /^max-age=\d{7,}(; includeSubDomains)?$/.test(promise),
    `Strict-Transport-Security: ${promise}`,
  );
}

async function readPackaged(file, changes) {
  let text = await fs.readFile(path.join(root, "packaging", file), "utf8");
  for (const [from, to] of changes) {
    assert(text.includes(from), `packaging/${file} has no ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

export const parts = [
  {
    name: "nginx: redirect, HSTS",
    async run({ url }) {
      const version = await machine("nginx", ["-v"], "Debian: nginx");
      const folder = await openFolder("nginx");
      const { key, cert } = await makeCertificate(folder);
      const [plain, secure] = [await freePort(), await freePort()];
      const letsEncrypt = `/etc/letsencrypt/live/${host}`;
      const servers = await readPackaged("nginx/starpost.conf", [
        ["  listen [::]:80;\n", ""],
        ["  listen [::]:443 ssl;\n", ""],
        ["listen 80;", `listen 127.0.0.1:${plain};`],
        ["listen 443 ssl;", `listen 127.0.0.1:${secure} ssl;`],
        [`${letsEncrypt}/fullchain.pem`, cert],
        [`${letsEncrypt}/privkey.pem`, key],
        ["http://127.0.0.1:8080", url],
      ]);
      const config = path.join(folder, "nginx.conf");
      const main = `daemon off; pid ${folder}/pid; events {} http { access_log off;\n${servers}}\n`;
      await fs.writeFile(config, main);
      const args = ["-p", folder, "-e", path.join(folder, "error.log"), "-c", config];
      await whileRunning({ program: "nginx", args, port: secure }, () =>
        checkProxy({ plain, secure }),
      );
      return /nginx\/([\d.]+)/.exec(version)?.[1];
    },
  },
  {
    name: "Caddy: redirect, HSTS",
    async run({ url }) {
      const version = await machine("caddy", ["version"], "Debian: caddy");
      const folder = await openFolder("caddy");
      const [plain, secure] = [await freePort(), await freePort()];
      const site = await readPackaged("caddy/Caddyfile", [["127.0.0.1:8080", new URL(url).host]]);
      const config = path.join(folder, "Caddyfile");
      // Its own authority signs: the host is an example.
      const options = ["admin off", "local_certs", "skip_install_trust"];
      options.push(`http_port ${plain}`, `https_port ${secure}`);
      await fs.writeFile(config, `{\n${options.join("\n")}\n}\n${site}`);
      const args = ["run", "--config", config, "--adapter", "caddyfile"];
      const env = { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
      await whileRunning({ program: "caddy", args, port: secure, env }, () =>
        checkProxy({ plain, secure }),
      );
      return /v?([\d.]+)/.exec(version)?.[1];
    },
  },
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
