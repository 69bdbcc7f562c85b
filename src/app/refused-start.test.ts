import fs from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../config/config.ts";
import { silentLog } from "../lib/log.ts";
import { startService } from "./service.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "starpost-refused-"));
const other = createServer();
beforeAll(() => new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve)));
afterAll(() => {
  other.close();
  fs.rmSync(folder, { recursive: true });
});

const busyPort = () => String((other.address() as AddressInfo).port);

test.each<[string, () => Record<string, string>, string]>([
  ["a port in use", () => ({ PORT: busyPort() }), "set PORT to a free one"],
  ["a metrics port in use", () => ({ METRICS_PORT: busyPort() }), "set METRICS_PORT to a free one"],
  ["an address of another machine", () => ({ HOST: "192.0.2.1" }), "set HOST"],
  ["half an account", () => ({ ADMIN_EMAIL: "harbour@example.com" }), "go together"],
  [
    "a short password",
    () => ({ ADMIN_EMAIL: "harbour@example.com", ADMIN_PASSWORD: "short" }),
    "at least 12 characters",
  ],
  ["a mail server without a sender", () => ({ SMTP_URL: "smtp://mail.example" }), "go together"],
  ["a sender without a mail server", () => ({ EMAIL_FROM: "a@b.example" }), "go together"],
  ["a client without its provider", () => ({ OIDC_CLIENT_SECRET: "x" }), "go with OIDC_ISSUER"],
  [
    "a port of a database that isn't used",
    () => ({ EMBEDDED_SQL_PORT: "5433", DATABASE_URL: "postgresql://db.example/starpost" }),
    "which DATABASE_URL replaces",
  ],
  [
    "a standby of nothing",
    () => ({ DATABASE_READ_URL: "postgresql://db.example/starpost" }),
    "goes with DATABASE_URL",
  ],
  ["a provider without its URL", () => ({ TRANSLATE_PROVIDER: "apertium" }), "TRANSLATE_URL"],
])("%s is reported before anything is created", async (_, env, message) => {
  const dataDir = path.join(folder, "data");
  const config = readConfig({
    env: { PORT: "0", DATA_DIR: dataDir, ...env() },
    envFile: path.join(folder, "none"),
  });
  await expect(startService({ config, log: silentLog })).rejects.toThrow(message);
  expect(fs.existsSync(dataDir)).toBe(false);
});
