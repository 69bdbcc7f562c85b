// Makes the picture of the README: starts the demo with data of its own, signs in as a user would, and photographs
// the overview. `npm run screenshot`; Chromium is /usr/bin/chromium, or CHROMIUM_PATH.
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import readline from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const picture = path.join(root, "docs", "screenshot.png");
const size = { width: 1280, height: 860 };

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "starpost-screenshot-"));
const demo = spawn(process.execPath, [path.join(root, "dist/src/cli.js"), "demo"], {
  cwd: folder,
  env: { PATH: process.env.PATH, HOME: folder, PORT: "0" },
  stdio: ["ignore", "pipe", "inherit"],
});
const ended = new Promise((resolve) => demo.once("close", resolve));
try {
  await takePicture(await readSignIn());
  process.stdout.write(`${path.relative(root, picture)}: ${fs.statSync(picture).size} bytes\n`);
} finally {
  demo.kill("SIGINT");
  await ended;
  fs.rmSync(folder, { recursive: true, force: true });
}

async function takePicture({ url, email, password }) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
    args: ["--disable-dev-shm-usage", "--disable-gpu"],
  });
  try {
    const page = await browser.newPage({ viewport: size, reducedMotion: "reduce" });
    await page.goto(url);
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    // The grey boxes that stand for what is still loading.
    const loading = page.locator('[class*="skeleton"]');
    await page.locator("main svg").first().waitFor();
    await loading.first().waitFor({ state: "detached" });
    await page.evaluate(() => document.fonts.ready);
    await page.screenshot({ path: picture });
  } finally {
    await browser.close();
  }
}

/** From the line "Click URL (e-mail, password)". */
function readSignIn() {
  return new Promise((resolve, reject) => {
    readline.createInterface({ input: demo.stdout }).on("line", (line) => {
      const [, url, email, password] = /^ {2}Click +(\S+) +\((\S+), (\S+)\)/.exec(line) ?? [];
      if (url) resolve({ url, email, password });
    });
    void ended.then((code) => reject(new Error(`the demo ended with exit code ${code}`)));
  });
}
