// Makes the pictures of the README and of docs/: starts the demo with data of its own, signs in as a user would, and
// photographs pages. `npm run screenshot`; Chromium is /usr/bin/chromium, or CHROMIUM_PATH.
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import readline from "node:readline";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { chromium } from "playwright-core";

new Command("npm run screenshot").parse();
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const pictures = path.join(root, "docs", "images");
const size = { width: 1280, height: 860 };

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "starpost-screenshot-"));
const demo = spawn(process.execPath, [path.join(root, "dist/src/cli.js"), "demo"], {
  cwd: folder,
  env: { PATH: process.env.PATH, HOME: folder, PORT: "0" },
  stdio: ["ignore", "pipe", "inherit"],
});
const ended = new Promise((resolve) => demo.once("close", resolve));
try {
  await takePictures(await readSignIn());
  for (const name of fs.readdirSync(pictures)) {
    process.stdout.write(`${name}: ${fs.statSync(path.join(pictures, name)).size} bytes\n`);
  }
} finally {
  demo.kill("SIGINT");
  await ended;
  fs.rmSync(folder, { recursive: true, force: true });
}

async function takePictures({ url, email, password }) {
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
    await photographOverview(page);
    await photographDeliveries(page);
    await photographSlackMessage(page);
  } finally {
    await browser.close();
  }
}

/** The log of the demo's failing channel. */
async function photographDeliveries(page) {
  const name = "Bad reviews to the old CRM";
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.getByRole("link", { name: /^Sources/ }).click();
  await page.getByRole("link", { name }).click();
  await page.getByRole("heading", { name, level: 1 }).waitFor();
  await page.getByText("gave up after").first().waitFor();
  await save(page, "delivery-log");
}

/** The form of a new channel, which shows the message beside it. */
async function photographSlackMessage(page) {
  await page.getByRole("link", { name: "all sources" }).click();
  await page.getByRole("link", { name: "Add a channel" }).click();
  await page.getByText("Slack", { exact: true }).click();
  await page.getByText("Preview of the Slack message").waitFor();
  await page.getByText("Last reviews that match").waitFor();
  await save(page, "slack-message");
}

/** From "What changed" on, below the notice of the sources that the demo lets fail. */
async function photographOverview(page) {
  await page.getByRole("link", { name: "Overview", exact: true }).click();
  await page.locator("main svg").first().waitFor();
  const heading = page.getByRole("heading", { name: "What changed" });
  await heading.evaluate((element) => window.scrollTo(0, element.offsetTop - 45));
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await save(page, `overview-${colorScheme}`);
  }
}

async function save(page, name) {
  // Grey boxes take the place of parts that are still loading.
  await page.locator('[class*="skeleton"]').first().waitFor({ state: "detached" });
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: path.join(pictures, `${name}.png`) });
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
