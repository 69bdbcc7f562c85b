// `npm run dev`: the service with the demo's data, started again after each saved file, behind Vite, which serves the pages
// with hot reload. `PORT` names the one address to open. The service runs from dist.dev/, into which each file is compiled
// alone: a build takes seconds, and so does Node when a loader compiles each file that it reads.
import { spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { createServer, transformWithOxc } from "vite";

new Command("npm run dev").parse();
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const compiled = path.join(root, "dist.dev");
const sourceFolders = ["src", "simulator", "sdk/src"];
const dataDir = process.env.DATA_DIR ?? path.join(root, "data");
const port = Number(process.env.PORT ?? 8080);
const servicePort = await findFreePort();
const service = `http://127.0.0.1:${servicePort}`;

await compileAll();
// A service that starts again finds the database running: this process is its last user.
const { openEmbeddedServer } = await import("../dist.dev/src/features/embedded-postgres/server.js");
const { createLog } = await import("../dist.dev/src/lib/log.js");
const database = await openEmbeddedServer({ dataDir: `${dataDir}-demo`, log: createLog("warn") });

let child = start();
const changed = new Set();
let restart;
let restarted = Promise.resolve();
for (const folder of sourceFolders) {
  fs.watch(path.join(root, folder), { recursive: true }, (_, name) => {
    if (name === null || !isCompiled(name)) return;
    changed.add(path.join(folder, name));
    clearTimeout(restart);
    // An editor writes a file in several steps.
    restart = setTimeout(() => {
      restarted = restarted.then(startAgain);
    }, 50);
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
        bypass: untilStarted,
      },
    },
  },
});
await pages.listen();
pages.printUrls();

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => void stop());

function start() {
  const started = spawn(process.execPath, ["--enable-source-maps", "dist.dev/src/cli.js", "demo"], {
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

async function startAgain() {
  const files = [...changed];
  changed.clear();
  process.stderr.write(`dev: ${files.join(", ")} changed, starting again …\n`);
  try {
    await Promise.all(files.map(compile));
    await end();
    child = start();
  } catch (error) {
    process.stderr.write(`dev: ${error.message}\n`);
  }
}

async function compileAll() {
  fs.rmSync(compiled, { recursive: true, force: true });
  fs.mkdirSync(compiled);
  // The service serves what the last build made.
  for (const name of ["dashboard", "docs-site", "report"])
    fs.symlinkSync(path.join(root, "dist", name), path.join(compiled, name));
  fs.symlinkSync(path.join(root, "package.json"), path.join(compiled, "package.json"));
  for (const folder of sourceFolders) {
    const names = fs.readdirSync(path.join(root, folder), { recursive: true }).filter(isCompiled);
    await Promise.all(names.map((name) => compile(path.join(folder, name))));
  }
}

function isCompiled(name) {
  return !name.endsWith(".test.ts");
}

/** Folders, and files that are gone, are left out. */
async function compile(file) {
  const source = path.join(root, file);
  if (!fs.statSync(source, { throwIfNoEntry: false })?.isFile()) return;
  const target = path.join(compiled, file.replace(/\.ts$/, ".js"));
  fs.mkdirSync(path.dirname(target), { recursive: true });
  if (!file.endsWith(".ts")) return fs.copyFileSync(source, target);
  const { code, map } = await transformWithOxc(fs.readFileSync(source, "utf8"), source);
  const linked = code.replace(/(\b(?:from|import)\b *\(?["'`]\.[^"'`]*)\.ts(?=["'`])/g, "$1.js");
  fs.writeFileSync(`${target}.map`, JSON.stringify(map));
  fs.writeFileSync(target, `${linked}\n//# sourceMappingURL=${path.basename(target)}.map\n`);
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

/** A request that arrives while the service ends and starts again waits for the new one. */
async function untilStarted() {
  await restarted;
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
