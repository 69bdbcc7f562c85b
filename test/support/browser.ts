// The installed Chromium, driven through Playwright. Each page records what no page may do: errors in its
// console, requests to another origin, and content that moves by itself.
import fs from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { patience } from "./patience.ts";

// The shell takes a quarter less processor time.
const browserPaths = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];
const executablePath =
  process.env["CHROMIUM_PATH"] ?? browserPaths.find((path) => fs.existsSync(path)) ?? "chromium";

/** Whether there is a browser; prints a hint if there is none. */
export function hasBrowser(): boolean {
  const isInstalled = fs.existsSync(executablePath);
  if (!isInstalled) {
    process.stderr.write(
      `browser tests are skipped: no Chromium; install chromium-headless-shell or chromium, or set CHROMIUM_PATH (${executablePath} does not exist)\n`,
    );
  }
  return isInstalled;
}

export type WatchedPage = {
  page: Page;
  context: BrowserContext;
  /** The errors since the last call. */
  takeErrors(): string[];
  /** How far content moved by itself since the page was opened: the sum of its layout shifts. */
  readLayoutShift(): Promise<number>;
};

export type TestBrowser = {
  /** A new browser context: no cookies, nothing cached. */
  newVisitor(window?: Window): Promise<WatchedPage>;
  close(): Promise<void>;
};

type Window = { width?: number; height?: number; isTouch?: boolean };

const timeoutMs = 20_000;

// A page lives for a second: compiling its scripts with optimisation takes longer than it saves.
const scriptFlags = ["--no-opt", "--no-maglev", "--max-lazy", "--min-semi-space-size=16"];

// One for all test files of a worker; Playwright ends it with the process.
let launched: Promise<Browser> | undefined;

function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    // In containers /dev/shm is too small for Chromium.
    args: ["--disable-dev-shm-usage", "--disable-gpu", `--js-flags=${scriptFlags.join(" ")}`],
  });
}

export async function openTestBrowser(baseUrl: string): Promise<TestBrowser> {
  launched ??= launch();
  const browser = await launched;
  const visitors: WatchedPage[] = [];
  return {
    async newVisitor(window = {}) {
      const visitor = await openVisitor(browser, { baseUrl, window });
      visitors.push(visitor);
      return visitor;
    },
    async close() {
      for (const { context } of visitors) await context.close();
    },
  };
}

async function openVisitor(
  browser: Browser,
  { baseUrl, window }: { baseUrl: string; window: Window },
): Promise<WatchedPage> {
  const { width = 1280, height = 900, isTouch = false } = window;
  const context = await browser.newContext({
    baseURL: baseUrl,
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    viewport: { width, height },
    hasTouch: isTouch,
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(patience(timeoutMs));
  // Before the page's own scripts: what moves first must count.
  await context.addInitScript({ content: shiftObserver });
  const errors: string[] = [];
  context.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    const isOwn = origin === new URL(baseUrl).origin || /^(data|blob|about):$/.test(protocol);
    if (!isOwn) errors.push(`requested ${request.url()}`);
  });
  const page = await context.newPage();
  page.on("crash", () => errors.push("crashed"));
  page.on("pageerror", (error) => errors.push(`threw: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    errors.push(`${message.type()}: ${message.text()} at ${message.location().url}`);
  });
  return {
    page,
    context,
    takeErrors: () => errors.splice(0),
    readLayoutShift: () => page.evaluate<number>("window.shiftSum"),
  };
}

// Shifts right after a key or click are caused by the user and do not count.
const shiftObserver = `
  window.shiftSum = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (!entry.hadRecentInput) window.shiftSum += entry.value;
    }
  }).observe({ type: "layout-shift", buffered: true });
`;
