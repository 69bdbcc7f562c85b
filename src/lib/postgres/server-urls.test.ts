// URLs of one server and of several: what is read of each spelling, and the sentence of each fault.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readServerUrls } from "./server-urls.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "starpost-urls-"));
const ca = path.join(folder, "ca.pem");
fs.writeFileSync(ca, "authorities");
afterAll(() => fs.rmSync(folder, { recursive: true }));

const read = (text: string) => readServerUrls(text).servers;

describe("one server", () => {
  const at = { host: "db.example", database: "starpost" };
  const me = { user: "me", password: "a@b/c" };
  const signIn = "me:a%40b%2Fc@";
  test.each<[string, Record<string, unknown>]>([
    ["postgresql://db.example/starpost", at],
    ["postgres://db.example:5433/starpost", { ...at, port: 5433 }],
    [`postgresql://${signIn}db.example/starpost`, { ...at, ...me }],
    ["postgresql://db.example/star%20post", { ...at, database: "star post" }],
    ["postgresql://db.example", { ...at, database: "" }],
    ["postgresql://db.example/?dbname=starpost", at],
    ["postgresql://[2001:db8::7]:6/starpost", { ...at, host: "2001:db8::7", port: 6 }],
    ["postgresql://192.0.2.7/starpost", { ...at, host: "192.0.2.7" }],
    ["postgresql://größe.example/starpost", { ...at, host: "größe.example" }],
    ["postgresql:///starpost", { ...at, host: "" }],
    [
      "postgresql:///starpost?host=/run/postgresql&user=me",
      { ...at, host: "/run/postgresql", user: "me", ssl: false },
    ],
    [
      `postgresql://${signIn}/starpost?host=/cloudsql/a:b:c`,
      { ...at, ...me, host: "/cloudsql/a:b:c", ssl: false },
    ],
    [
      `postgresql://${signIn}localhost/starpost?host=/run/postgresql`,
      { ...at, ...me, host: "/run/postgresql", ssl: false },
    ],
    [
      "postgresql://%2Frun%2Fpostgresql:6/starpost",
      { ...at, host: "/run/postgresql", port: 6, ssl: false },
    ],
    [
      "postgresql://me@:6/starpost?host=/run/postgresql&sslmode=require",
      { ...at, host: "/run/postgresql", port: 6, user: "me", ssl: false },
    ],
    ["postgresql:///starpost?host=db.example&port=6", { ...at, port: 6 }],
    [
      "postgresql://db.example/starpost?options=-c%20search_path%3Down&application_name=x",
      { ...at, options: "-c search_path=own" },
    ],
    [
      "postgresql://db.example/starpost?channel_binding=require",
      { ...at, enableChannelBinding: true },
    ],
    ["postgresql://db.example/starpost?connect_timeout=10&pgbouncer=true", at],
  ])("%s", (text, expected) => {
    expect(readServerUrls(text)).toEqual({ servers: [expected], fault: null });
  });

  test.each<[string, unknown]>([
    ["", undefined],
    ["sslmode=disable", false],
    ["sslmode=require", { rejectUnauthorized: false }],
    ["sslmode=require&uselibpqcompat=true", { rejectUnauthorized: false }],
    ["sslmode=no-verify", { rejectUnauthorized: false }],
    ["sslmode=verify-full", {}],
    ["sslmode=verify-full&sslrootcert=system", {}],
    [`sslmode=verify-full&sslrootcert=${ca}`, { ca: Buffer.from("authorities") }],
    [
      `sslmode=verify-full&sslrootcert=${ca}&sslcert=${ca}&sslkey=${ca}`,
      { ca: expect.anything(), cert: expect.anything(), key: expect.anything() },
    ],
    [
      `sslmode=verify-ca&sslrootcert=${ca}`,
      { ca: expect.anything(), checkServerIdentity: expect.anything() },
    ],
    [
      `sslmode=require&sslrootcert=${ca}`,
      { ca: expect.anything(), checkServerIdentity: expect.anything() },
    ],
    [`sslrootcert=${ca}`, { ca: expect.anything() }],
    ["ssl=true", {}],
    ["ssl=false", false],
  ])("TLS by %s", (query, expected) => {
    expect(read(`postgresql://db.example/starpost?${query}`)[0]?.ssl).toEqual(expected);
  });
});

describe("several servers", () => {
  test("each has the account, the database and the settings", () => {
    const text =
      "postgresql://me:x@a:1,b.example:2,c/starpost?target_session_attrs=read-write&sslmode=require";
    const common = {
      user: "me",
      password: "x",
      database: "starpost",
      ssl: { rejectUnauthorized: false },
    };
    const expected = [
      { ...common, host: "a", port: 1 },
      { ...common, host: "b.example", port: 2 },
      { ...common, host: "c" },
    ];
    expect(read(text)).toEqual(expected);
    const other = "postgresql://me:x@/starpost?host=a,b.example,c&port=1,2,&sslmode=require";
    expect(read(other)).toEqual(expected);
  });

  test("standbys are asked for as such, or not at all", () => {
    for (const kind of ["", "?target_session_attrs=standby", "?target_session_attrs=any"]) {
      const { servers } = readServerUrls(`postgresql://a,b/starpost${kind}`, "standby");
      expect(servers.map(({ host }) => host)).toEqual(["a", "b"]);
    }
    const other = "postgresql://a,b/starpost?target_session_attrs=read-write";
    expect(readServerUrls(other, "standby").fault).toContain("target_session_attrs=standby");
  });
});

const faults: [string, RegExp][] = [
  ["", /must be a URL that begins with postgresql:/],
  ["a,b", /must be a URL/],
  ["host=db.example dbname=starpost", /space|must be a URL/],
  ["'postgresql://db.example/starpost'", /in quotes/],
  ['"postgresql://db.example/starpost"', /in quotes/],
  ["psql 'postgresql://db.example/starpost'", /space/],
  ["postgresql://db.example/starpost\n", /line end/],
  ["mysql://a,b/starpost", /begins with mysql:/],
  ["jdbc:postgresql://db.example/starpost", /begins with jdbc:postgresql:/],
  ["postgresql+psycopg://db.example/starpost", /begins with postgresql\+psycopg:/],
  ["postgresql://me:s3cr3t#x@db.example/starpost", /percent-encoded/],
  ["postgresql://me:s3cr3t/x@db.example/starpost", /percent-encoded/],
  ["postgresql://me:s3cr3t?x@db.example/starpost", /percent-encoded/],
  ["postgresql://me:s3cr3t@x@db.example/starpost", /percent-encoded/],
  ["postgresql://me:s3cr3t%x@db.example/starpost", /percent-encoded/],
  ["postgresql://db.example:port/starpost", /port that is not a number/],
  ["postgresql://db.example:99999/starpost", /port that is not a number/],
  ["postgresql://a:1,b:x/starpost", /port that is not a number/],
  ["postgresql://2001:db8::7/starpost", /brackets/],
  ["postgresql://db example/starpost", /space/],
  ["postgresql://db|example/starpost", /host that is not/],
  ["postgresql://db.example/starpost?sslmode", /parameter sslmode without a value/],
  ["postgresql://db.example/starpost?sslmode=prefer", /prefer.*require, or disable/],
  ["postgresql://db.example/starpost?sslmode=allow", /allow.*require, or disable/],
  ["postgresql://db.example/starpost?sslmode=verify", /sslmode=verify; it can be disable, require/],
  ["postgresql://db.example/starpost?sslmode=verify-ca", /needs sslrootcert/],
  [
    "postgresql://db.example/starpost?sslmode=verify-full&sslrootcert=/none/ca.pem",
    /\/none\/ca.pem.*is missing/,
  ],
  [`postgresql://db.example/starpost?sslmode=verify-full&sslrootcert=${folder}`, /can't be read/],
  ["postgresql://db.example/starpost?sslmode=verify-full&sslrootcert=ca.pem", /whole path/],
  ["postgresql://db.example/starpost?options=%", /% after \?/],
  ["postgresql:///starpost?host=a,b&port=1,2,3", /2 hosts and 3 ports/],
  [
    "postgresql://a,b/starpost?target_session_attrs=standby",
    /write target_session_attrs=read-write/,
  ],
];

test.each(faults)("%s has its own sentence", (text, expected) => {
  const { servers, fault } = readServerUrls(text);
  expect(servers).toEqual([]);
  expect(fault).toMatch(expected);
  expect(fault).not.toContain("s3cr3t");
});
