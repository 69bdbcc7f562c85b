// Debian's Chromium, driven as a person would. Each page notes what no page may do: errors in its
// console, requests to anybody but the service, and content that moves while it is read.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

const program = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";

/** Whether there is a browser; says so where there is none. */
export function hasBrowser(): boolean {
  const isThere = fs.existsSync(program);
  if (!isThere) {
    process.stderr.write(
      `browser tests are skipped: no Chromium; install it, or name one by CHROMIUM_PATH (${program} is not there)\n`,
    );
  }
  return isThere;
}

export type WatchedPage = {
  page: Page;
  context: BrowserContext;
  /** What went wrong so far, in words; each is told once. */
  takeTroubles(): string[];
  /** How far content moved by itself since the page was opened: the sum of all layout shifts. */
  readShift(): Promise<number>;
};

export type TestBrowser = {
  /** A browser of somebody else: no cookies, nothing cached. */
  newPerson(): Promise<WatchedPage>;
  close(): Promise<void>;
};

const patienceMs = 20_000;

export async function openTestBrowser(baseUrl: string): Promise<TestBrowser> {
  const browser = await chromium.launch({
    executablePath: program,
    // Containers have no /dev/shm worth the name.
    args: ["--disable-dev-shm-usage", "--disable-gpu"],
  });
  return {
    newPerson: () => openPerson(browser, baseUrl),
    close: () => browser.close(),
  };
}

async function openPerson(browser: Browser, baseUrl: string): Promise<WatchedPage> {
  const context = await browser.newContext({
    baseURL: baseUrl,
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    viewport: { width: 1280, height: 900 },
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(patienceMs);
  // Before the page's own scripts: its content policy lets no script in later.
  await context.addInitScript({ content: axeSource });
  await context.addInitScript({ content: shiftObserver });
  const troubles: string[] = [];
  context.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    const isOwn = origin === new URL(baseUrl).origin || /^(data|blob|about):$/.test(protocol);
    if (!isOwn) troubles.push(`asked ${request.url()}`);
  });
  const page = await context.newPage();
  page.on("pageerror", (error) => troubles.push(`threw: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    troubles.push(`${message.type()}: ${message.text()} at ${message.location().url}`);
  });
  return {
    page,
    context,
    takeTroubles: () => troubles.splice(0),
    readShift: () => page.evaluate<number>("window.shiftSum"),
  };
}

const axeSource = fs.readFileSync(
  path.join(path.dirname(createRequire(import.meta.url).resolve("axe-core")), "axe.min.js"),
  "utf8",
);

// What follows right after a key or click is the person's own doing, and does not count.
const shiftObserver = `
  window.shiftSum = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (!entry.hadRecentInput) window.shiftSum += entry.value;
    }
  }).observe({ type: "layout-shift", buffered: true });
`;
