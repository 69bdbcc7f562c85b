import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Config, callerFolder, readConfig, takeSettings } from "./config.ts";

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

test("of the settings of an installation only those that are named are taken", () => {
  const defaults = read({});
  const names = Object.keys(defaults) as (keyof Config)[];
  const marked = Object.fromEntries(names.map((name) => [name, `mark of ${name}`]));
  const config = { ...defaults, ...marked, origin: defaults.origin } as unknown as Config;
  const taken = takeSettings(config, ["PORT", "LOG_LEVEL"]);
  expect(taken).toEqual({ ...defaults, port: config.port, logLevel: config.logLevel });
});

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

  test.each([
    "https://auth.example.com/application/o/starpost/",
    "https://login.example.com//realm",
    "https://id.example.com",
  ])("keeps the issuer as it is written: %s", (issuer) => {
    expect(read({ OIDC_ISSUER: issuer }).oidcIssuer).toBe(issuer);
  });

  test.each([
    "https://example.com/starpost",
    "https://example.com/?a=1",
    "https://example.com/#x",
    "https://ann@example.com",
  ])("refuses a public address that is more than a host: %s", (url) => {
    expect(() => read({ PUBLIC_URL: url })).toThrow("needs a host name of its own");
    expect(read({ PUBLIC_URL: "https://example.com/" }).publicUrl).toBe("https://example.com");
  });

  test.each([
    ["https://Reviews.Example.com", "https://reviews.example.com"],
    ["https://reviews.example.com:443/", "https://reviews.example.com"],
    ["HTTP://reviews.example.com:8080", "http://reviews.example.com:8080"],
    ["https://bücher.example", "https://xn--bcher-kva.example"],
  ])("writes the public address %s as browsers do", (url, publicUrl) => {
    expect(read({ PUBLIC_URL: url })).toMatchObject({ publicUrl });
  });

  test.each([
    "postgresql://starpost:my#pass@db/starpost",
    "postgresql://starpost:12#pass@db/starpost",
    "postgresql://starpost:12/pass@db/starpost",
    "postgresql://starpost:12?pass@db/starpost",
    "postgresql://starpost:50%pass@db/starpost",
    "postgresql://starpost:p@ss@db/starpost",
  ])("explains how a password is written in a URL: %s", (url) => {
    expect(() => read({ DATABASE_URL: url })).toThrow("# is %23");
    const smtp = url.replace("postgresql:", "smtps:");
    expect(() => read({ SMTP_URL: smtp })).toThrow("must be percent-encoded");
    const proxy = url.replace("postgresql:", "http:");
    expect(() => read({ OUTGOING_PROXY: proxy })).toThrow("must be percent-encoded");
    const encoded = "postgresql://starpost:%23%2F%3F%40%25@db/starpost?sslmode=require";
    expect(read({ DATABASE_URL: encoded }).databaseUrl).toBe(encoded);
  });

  test("keeps the spaces around a password, which people type as well", () => {
    const password = " eight words and a space ";
    const file = path.join(folder, "password");
    fs.writeFileSync(file, `${password}\r\n`);
    expect(read({ ADMIN_PASSWORD: password }).adminPassword).toBe(password);
    expect(read({}, `ADMIN_PASSWORD="${password}"\n`).adminPassword).toBe(password);
    expect(read({ OIDC_CLIENT_SECRET_FILE: file }).oidcClientSecret).toBe(password);
    expect(read({ ADMIN_PASSWORD: " " }).adminPassword).toBeNull();
  });

  test("reads a setting from the file that NAME_FILE names, in the environment and in .env", () => {
    const secret = path.join(folder, "secret");
    fs.writeFileSync(secret, "postgresql://a:b@db/c\n");
    const databaseUrl = "postgresql://a:b@db/c";
    expect(read({ DATABASE_URL_FILE: secret })).toMatchObject({ databaseUrl });
    expect(read({}, `DATABASE_URL_FILE=${secret}\n`)).toMatchObject({ databaseUrl });
    const both = { DATABASE_URL_FILE: secret, DATABASE_URL: databaseUrl };
    expect(() => read(both)).toThrow("DATABASE_URL and DATABASE_URL_FILE are both set");
    fs.writeFileSync(secret, "\n");
    expect(() => read({ DATABASE_URL_FILE: secret })).toThrow(
      `DATABASE_URL_FILE: ${secret} is empty`,
    );
    const missing = { OIDC_CLIENT_SECRET_FILE: path.join(folder, "none") };
    expect(() => read(missing)).toThrow("OIDC_CLIENT_SECRET_FILE: there is no file");
  });

  test.each([
    ["DATABASE_URI", "did you mean DATABASE_URL?"],
    ["STARPOST_DATABASE_URL", "did you mean DATABASE_URL?"],
    ["STARPOST_PUBLIC_URL_FILE", "did you mean PUBLIC_URL?"],
    ["database_url", "did you mean DATABASE_URL?"],
    ["Public_Url_File", "did you mean PUBLIC_URL?"],
    ["ENCRYPTION_KEYS", "did you mean ENCRYPTION_KEY?"],
    ["WEBHOOK_ALLOWED_CIDR", "did you mean WEBHOOK_ALLOWED_CIDRS?"],
    ["SMTP_PASSWORD", "there is no setting named SMTP_PASSWORD"],
    ["OIDC_REDIRECT_URI", "there is no setting named OIDC_REDIRECT_URI"],
    ["DATABASE_HOST", "there is no setting named DATABASE_HOST"],
  ])("refuses %s in the environment", (name, words) => {
    expect(() => read({ [name]: "x" })).toThrow(words);
  });

  test("leaves what other software sets alone", () => {
    const env = {
      // Kubernetes sets these for services named database and starpost.
      DATABASE_SERVICE_HOST: "10.0.0.1",
      DATABASE_PORT: "tcp://10.0.0.1:5432",
      STARPOST_PORT: "tcp://10.0.0.2:80",
      STARPOST_PORT_80_TCP_ADDR: "10.0.0.2",
      // A hosting platform, a shell and a file of the set-up.
      DATABASE_URL: "postgresql://a:b@db/c",
      DATABASE_PUBLIC_URL: "postgresql://a:b@proxy/c",
      HOSTNAME: "starpost-0",
      host: "other",
      GOOGLE_APPLICATION_CREDENTIALS: "/key.json",
      WEBHOOK_SECRET: "of a file of the set-up",
    };
    expect(read(env).databaseUrl).toBe("postgresql://a:b@db/c");
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
    ["API_CORS_ORIGINS", "https://example.com/a", "API_CORS_ORIGINS: expected origins like"],
    ["API_CORS_ORIGINS", "https://a.example,Any", "API_CORS_ORIGINS: expected origins like"],
    ["ITUNES_BASE_URL", "itunes", "ITUNES_BASE_URL: expected a URL"],
    // Paths are added to a base, and a name is compared with whole names.
    ["ANALYSIS_URL", "https://ai.example/openai?api-version=1", "without ? and #"],
    // Options that other software reads from the URL, such as to trust any certificate.
    ["SMTP_URL", "smtps://mail.example/?tls.rejectUnauthorized=false", "SMTP_URL: expected a URL"],
    ["SMTP_URL", "smtps://mail.example/pool", "SMTP_URL: expected a URL"],
    ["TRANSLATE_URL", "https://translate.example/#key", "without ? and #"],
    ["OUTGOING_PROXY_EXCEPT", "a.*.example.com", "OUTGOING_PROXY_EXCEPT: expected hosts"],
    ["CHANNEL_HOSTS", "*example.com", "CHANNEL_HOSTS: expected hosts"],
    ["CHANNEL_HOSTS", "example.com:8080", "CHANNEL_HOSTS: expected hosts"],
    ["CHANNEL_HOSTS", "*", "CHANNEL_HOSTS: expected hosts"],
    ["PUBLIC_NAMES", "https://example.com", "PUBLIC_NAMES: expected hosts"],
    ["SMTP_URL", "smtp://mail.example/?name=a&pool=true", "SMTP_URL: expected a URL"],
    ["EMAIL_ALLOWED_DOMAINS", "*.example.com", "EMAIL_ALLOWED_DOMAINS: expected domains"],
    ["EMAIL_ALLOWED_DOMAINS", ".example.com", "EMAIL_ALLOWED_DOMAINS: expected domains"],
    ["OIDC_ALLOWED_DOMAINS", ".example.com", "OIDC_ALLOWED_DOMAINS: expected domains"],
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
    expect(() => read({ [name]: value })).toThrow(
      new RegExp(`^${name}: (expected|it begins with)`),
    );
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

describe("usual spellings of other software", () => {
  test.each([
    ["PUBLIC_URL", "https://reviews.example.com./", "https://reviews.example.com"],
    ["PUBLIC_URL", "https://Reviews.Example.com:443", "https://reviews.example.com"],
    ["PUBLIC_NAMES", "Reviews.internal., *.corp.example", ["reviews.internal", ".corp.example"]],
    ["CHANNEL_HOSTS", "chat.exämple.com", ["chat.xn--exmple-cua.com"]],
    [
      "OUTGOING_PROXY_EXCEPT",
      "localhost,127.0.0.1,::1,[::1],.corp.example.",
      ["localhost", "127.0.0.1", "[::1]", "[::1]", ".corp.example"],
    ],
    ["EMAIL_ALLOWED_DOMAINS", "Example.com,exämple.de", ["example.com", "xn--exmple-cua.de"]],
    [
      "TRUSTED_PROXIES",
      "10.0.0.9,fd00::1,10.1.0.0/16",
      ["10.0.0.9/32", "fd00::1/128", "10.1.0.0/16"],
    ],
    ["API_CORS_ORIGINS", "https://example.com/,*", ["https://example.com", "*"]],
    [
      "SMTP_URL",
      "smtp://mail.example:25/?name=starpost.example.com",
      "smtp://mail.example:25/?name=starpost.example.com",
    ],
  ])("%s=%s", (name, value, expected) => {
    const key = name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    expect(read({ [name]: value })).toMatchObject({ [key]: expected });
  });

  const encodings: Record<string, (text: string) => Buffer> = {
    "with a byte order mark": (text) => Buffer.from(`\ufeff${text}`),
    "as PowerShell writes them": (text) => Buffer.from(`\ufeff${text}`, "utf16le"),
    plain: (text) => Buffer.from(text),
  };
  test.each(
    Object.entries(encodings).flatMap(([name, encode]) =>
      ["\n", "\r\n"].map((lineEnd) => [name, JSON.stringify(lineEnd), encode, lineEnd] as const),
    ),
  )("files %s and line ends %s", (_, _lineEnd, encode, lineEnd) => {
    const own = fs.mkdtempSync(path.join(folder, "spelt-"));
    const file = path.join(own, ".env");
    const secret = path.join(own, "secret");
    fs.writeFileSync(secret, encode(`pass word ${lineEnd}`));
    const lines = [
      "PORT=9000",
      `OIDC_CLIENT_SECRET_FILE=${secret}`,
      'TRANSLATE_MODEL="a',
      'b"',
      "HOST=::",
      "",
    ];
    fs.writeFileSync(file, encode(lines.join(lineEnd)));
    expect(readConfig({ env: {}, envFile: file })).toMatchObject({
      port: 9000,
      oidcClientSecret: "pass word ",
      translateModel: "a\nb",
      host: "::",
    });
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
