// A service with reviews, as a client of the API meets it: the built product on an embedded database of its own.
import { execFile, spawn } from "node:child_process";
import fs from "node:fs/promises";
import { createServer } from "node:http";
import https from "node:https";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const root = path.resolve(import.meta.dirname, "..");
const cli = path.join(root, "dist/src/cli.js");
const run = promisify(execFile);

const storeSettings = [
  "ITUNES_BASE_URL",
  "APPLE_APPS_BASE_URL",
  "GOOGLE_PLAY_BASE_URL",
  "FIREFOX_ADDONS_BASE_URL",
];

/**
 * @param {string} folder where everything is kept
 * @param settings beside those that keep the service on this machine
 * @returns a service with 40 reviews of one app, a key of each scope, and commands against it
 */
export async function openService(folder, settings = {}) {
  const port = settings.PORT ?? (await freePort());
  const env = {
    ...process.env,
    ...{ DATA_DIR: path.join(folder, "data"), PORT: String(port), LOG_LEVEL: "warn" },
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    ...{ WEBHOOK_ALLOW_HTTP: "true", WEBHOOK_ALLOWED_CIDRS: "127.0.0.1/32" },
    ...{ COLLECT_CANARY: "false", EMBEDDED_SQL_PORT: String(await freePort()) },
    // Refused at once: no store is asked.
    ...Object.fromEntries(storeSettings.map((name) => [name, "http://127.0.0.1:9"])),
    ...settings,
  };
  const child = spawn(process.execPath, [cli, "serve"], { env, stdio: ["ignore", "pipe", "pipe"] });
  const lines = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => lines.push(String(chunk)));
  const url = `http://127.0.0.1:${port}`;
  const command = async (...argv) => {
    const { stdout } = await run(process.execPath, [cli, ...argv, "--json"], { env });
    return JSON.parse(stdout);
  };
  const close = async () => {
    child.kill("SIGTERM");
    await new Promise((resolve) =>
      child.exitCode === null ? child.once("exit", resolve) : resolve(),
    );
  };
  try {
    await waitFor(
      async () => (await fetch(`${url}/readyz`)).ok,
      () => lines.join(""),
    );
    const workspace = await command("workspace", "create", "--name", "Real parts");
    const app = await command(
      ...["app", "add", "--store", "appstore", "--external-id", "4242", "--name", "Tide"],
      "--no-collect",
    );
    const file = path.join(folder, "reviews.jsonl");
    await fs.writeFile(file, sampleRows().join("\n"));
    await command("import", "reviews", "--app", app.id, file);
    const { key } = await command("key", "create", "--name", "Read");
    const { key: manageKey } = await command(
      "key",
      "create",
      "--name",
      "Manage",
      "--scope",
      "manage",
    );
    return { url, workspace, app, key, manageKey, command, close, env };
  } catch (error) {
    await close();
    throw new Error(`${error.message}\n${lines.join("").slice(-2_000)}`, { cause: error });
  }
}

/** Five stars in turns, in three countries, the newest an hour ago. */
function sampleRows() {
  return Array.from({ length: 40 }, (_, index) =>
    JSON.stringify({
      id: `r${index}`,
      rating: 1 + (index % 5),
      date: new Date(Date.now() - (index + 1) * 3_600_000).toISOString(),
      ...{
        title: `Title ${index}`,
        text: `It crashes <at> "step" & ${index} 👍`,
        author: "Plover",
      },
      ...{ country: ["us", "de", "fr"][index % 3], version: "4.2.1" },
    }),
  );
}

/** A service with settings of its own, while it is worked with. */
export async function withService(settings, work) {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-real-part-"));
  try {
    const service = await openService(folder, settings);
    try {
      return await work(service);
    } finally {
      await service.close();
    }
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
}

/** Sends a test event to a new channel with these options: its attempts. */
export async function sendTest({ command, workspace }, ...options) {
  const channel = ["channel", "create", "--workspace", workspace.id, "--name", options.at(-1)];
  const { id } = await command(...channel, ...options);
  // It ends with 1 where the event was not delivered.
  const printed = command("channel", "test", id).catch(({ stdout }) => JSON.parse(stdout));
  const { deliveryId } = await printed;
  const { attempts } = await command("deliveries", "show", deliveryId);
  if (attempts.length === 0) throw new Error("the test event was not sent");
  return attempts;
}

/** Keeps what it gets, and answers 204. */
export async function openEndpoint(certificate = null) {
  const requests = [];
  const listener = async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    requests.push({ headers: request.headers, body: Buffer.concat(chunks) });
    response.writeHead(204).end();
  };
  const server = certificate ? https.createServer(certificate, listener) : createServer(listener);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  return {
    port,
    url: `${certificate ? "https" : "http"}://127.0.0.1:${port}/hook`,
    requests,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

export async function waitFor(isDone, describe = () => "it did not come", withinMs = 60_000) {
  const endMs = Date.now() + withinMs;
  for (;;) {
    const done = await Promise.resolve(isDone()).catch(() => false);
    if (done) return;
    if (Date.now() > endMs) throw new Error(describe());
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

export function canConnect(port) {
  return new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

export function freePort() {
  return new Promise((resolve, reject) => {
    const server = net.createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
