// `npm run dev`: the service with the demo's data, run from its sources and started again after each saved file, behind
// Vite, which serves the pages with hot reload. `PORT` names the one address to open.
import { spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const loader = new URL("./typescript-loader.mjs", import.meta.url).href;
const watchedFolders = ["src", "simulator", "sdk/src"];
const dataDir = process.env.DATA_DIR ?? path.join(root, "data");
const port = Number(process.env.PORT ?? 8080);
const servicePort = await findFreePort();
const service = `http://127.0.0.1:${servicePort}`;

// A service that starts again finds the database running: this process is its last user.
const { openEmbeddedServer } = await import("../src/embedded-postgres/server.ts");
const { createLog } = await import("../src/lib/log.ts");
const database = await openEmbeddedServer({ dataDir: `${dataDir}-demo`, log: createLog("warn") });

let child = start();
let restart;
for (const folder of watchedFolders) {
  fs.watch(path.join(root, folder), { recursive: true }, (_, name) => {
    if (name === null || name.endsWith(".test.ts")) return;
    clearTimeout(restart);
    // An editor writes a file in several steps.
    restart = setTimeout(() => void startAgain(name), 50);
  });
}

const pages = await createServer({
  root: path.join(root, "dashboard"),
  server: {
    port,
    strictPort: true,
    proxy: {
      "^/(api|console|docs|feeds|mail|auth|healthz|readyz)(/|$)": {
        target: service,
        // A request that arrives while the service starts again waits for it.
        bypass: untilListening,
      },
    },
  },
});
await pages.listen();
pages.printUrls();

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => void stop());

function start() {
  const started = spawn(process.execPath, ["--import", loader, "src/cli.ts", "demo"], {
    cwd: root,
    stdio: "inherit",
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: String(servicePort),
      PUBLIC_URL: `http://localhost:${port}`,
    },
  });
  started.on("exit", (code) => {
    if (code)
      process.stderr.write("dev: the service ended; it starts again after the next change\n");
  });
  return started;
}

async function startAgain(name) {
  process.stderr.write(`dev: ${name} changed, starting again …\n`);
  await end();
  child = start();
}

async function end() {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
}

async function stop() {
  clearTimeout(restart);
  await Promise.all([end(), pages.close()]);
  await database.close();
  process.exit();
}

async function untilListening() {
  while (!(await isListening())) await delay(20);
}

function isListening() {
  return new Promise((resolve) => {
    const socket = net.connect(servicePort, "127.0.0.1");
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}

async function findFreePort() {
  const probe = net.createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => probe.once("listening", resolve));
  const { port: found } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return found;
}
