import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Config, callerFolder, readConfig } from "./config.ts";

let folder: string;

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "starpost-config-"));
});

afterAll(() => fs.rmSync(folder, { recursive: true }));

function read(env: Record<string, string>, envFile = ""): Config {
  const file = path.join(folder, ".env");
  fs.writeFileSync(file, envFile);
  return readConfig({ env, envFile: file });
}

describe("readConfig", () => {
  test("has a default for everything", () => {
    expect(read({})).toMatchObject({
      host: "127.0.0.1",
      port: 8080,
      databaseUrl: null,
      encryptionKey: null,
      roles: ["api", "collect", "deliver", "dashboard"],
      webhookAllowHttp: false,
      webhookAllowedCidrs: [],
    });
  });

  test("takes the environment before .env, and .env before the default", () => {
    const config = read({ PORT: "9000" }, "PORT=9001\nHOST=0.0.0.0 # everywhere\n");
    expect(config).toMatchObject({ port: 9000, host: "0.0.0.0" });
  });

  test("takes an empty value for not set", () => {
    expect(read({ PORT: " ", DATABASE_URL: "" })).toMatchObject({ port: 8080, databaseUrl: null });
  });

  test("takes origins as browsers send them, or any", () => {
    const origins = "https://a.example, http://localhost:5173, *";
    expect(read({ API_CORS_ORIGINS: origins }).apiCorsOrigins).toEqual(origins.split(", "));
  });

  test("reads roles by values of a claim, which may have signs of their own", () => {
    expect(read({ OIDC_ROLES: "a=b=owner, /Team/Support =member" }).oidcRoles).toEqual([
      { value: "a=b", role: "owner" },
      { value: "/Team/Support", role: "member" },
    ]);
    for (const wrong of ["admins", "admins=boss", "=owner"]) {
      expect(() => read({ OIDC_ROLES: wrong })).toThrow("like admins=owner");
    }
    expect(() => read({ OIDC_SIGN_UP: "owner" })).toThrow("invitation, viewer, member");
  });

  test("reads several keys in base64 and hex", () => {
    const keys = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const;
    const text = `${keys[0].toString("base64")}, ${keys[1].toString("hex")}`;
    expect(read({ ENCRYPTION_KEY: text }).encryptionKey).toEqual(keys);
  });

  test.each([
    ["PORT", "http", 'PORT: expected a whole number from 0 to 65535, not "http"'],
    ["PORT", "65536", 'PORT: expected a whole number from 0 to 65535, not "65536"'],
    [
      "ROLES",
      "api,cook",
      'ROLES: expected some of api, collect, deliver, dashboard, with commas, not "api,cook"',
    ],
    ["WEBHOOK_ALLOW_HTTP", "maybe", 'WEBHOOK_ALLOW_HTTP: expected true or false, not "maybe"'],
    ["WEBHOOK_ALLOWED_CIDRS", "10.0.0.0/33", "WEBHOOK_ALLOWED_CIDRS: expected networks"],
    ["WEBHOOK_ALLOWED_CIDRS", "localhost", "WEBHOOK_ALLOWED_CIDRS: expected networks"],
    ["API_CORS_ORIGINS", "https://example.com/", "API_CORS_ORIGINS: expected origins like"],
    ["API_CORS_ORIGINS", "https://a.example,Any", "API_CORS_ORIGINS: expected origins like"],
    ["ITUNES_BASE_URL", "itunes", "ITUNES_BASE_URL: expected a URL"],
    ["TRANSLATE_PROVIDER", "babel", "TRANSLATE_PROVIDER: expected one of none, libretranslate"],
    ["TRANSLATE_WAIT_SECONDS", "-1", "TRANSLATE_WAIT_SECONDS: expected a whole number"],
    ["LOG_LEVEL", "loud", "LOG_LEVEL: expected one of"],
  ])("refuses %s=%s in one line that names it", (name, value, message) => {
    expect(() => read({ [name]: value })).toThrow(message);
  });

  test.each([
    ["ENCRYPTION_KEY", "c2hvcnQ="],
    ["DATABASE_URL", "mysql://user:hunter2@host/db"],
    ["TRANSLATE_API_KEY", "two words"],
  ])("does not repeat the secret in a faulty %s", (name, value) => {
    expect(() => read({ [name]: value })).toThrow(`${name}: expected`);
    expect(() => read({ [name]: value })).not.toThrow(value);
  });

  test("names every faulty setting at once", () => {
    const message = /^PORT: expected .*; LOG_LEVEL: expected .*$/;
    expect(() => read({ PORT: "http", LOG_LEVEL: "loud" })).toThrow(message);
  });

  test("refuses a name in .env that it does not know, but not in the environment", () => {
    expect(() => read({}, "PROT=9000\n")).toThrow("there is no setting named PROT");
    expect(read({ PROT: "9000" }).port).toBe(8080);
  });

  test.each([
    ["PORT 9000\n", 1],
    ["# a comment\n\nPORT=9000\nHOST\n", 4],
    ["TRANSLATE_MODEL='two\nlines'\nhunter2 hunter2\n", 3],
  ])("refuses a line in .env that sets nothing: %j", (content, line) => {
    expect(() => read({}, content)).toThrow(`line ${line} sets nothing; expected NAME=value`);
    expect(() => read({}, content)).not.toThrow("hunter2");
  });

  test.each(["PORT=1", 'PORT="', "PORT='", "export PORT =", " "])(
    "reads each line of a .env of thousands of %j once or twice, and not all others for it",
    (line) => {
      // With work that grows with the square this takes minutes, so no time is measured.
      const content = `${line}\n`.repeat(Math.floor(99_000 / (line.length + 1)));
      expect(() => read({}, `${content}nothing\n`)).toThrow(/sets nothing|PORT/);
    },
  );

  test("takes comments, empty lines, quotes, exports and values with = in .env", () => {
    const lines = ["", "# PORT", "export PORT = 9000", 'TRANSLATE_MODEL="a=b # c"', "HOST=", ""];
    const config = read({}, lines.join("\r\n"));
    expect(config).toMatchObject({ port: 9000, translateModel: "a=b # c", host: "127.0.0.1" });
  });

  test("refuses a .env that can't be read", () => {
    expect(() => readConfig({ env: {}, envFile: folder })).toThrow("can't be read");
  });
});

describe("callerFolder", () => {
  test("is where npm was called, for our own script only", () => {
    const called = { INIT_CWD: "/somewhere" };
    expect(callerFolder({ ...called, npm_lifecycle_event: "starpost" })).toBe("/somewhere");
    expect(callerFolder({ ...called, npm_lifecycle_event: "test" })).toBe(process.cwd());
    expect(callerFolder({})).toBe(process.cwd());
  });
});
