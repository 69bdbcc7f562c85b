// URLs of one server and of several.
import { expect, test } from "vitest";
import { listServerUrls } from "./server-urls.ts";

test("a URL of one server stays what it is", () => {
  const text = "postgresql://me:a%40b@db.example:5433/starpost?sslmode=require";
  expect(listServerUrls(text)).toEqual([text]);
  const socket = "postgres:///starpost?host=/run/postgresql";
  expect(listServerUrls(socket)).toEqual([socket]);
});

test("each host has a URL with the account, the database and the settings", () => {
  const text =
    "postgresql://me:x@a:1,b.example:2,c/starpost?target_session_attrs=read-write&sslmode=require";
  expect(listServerUrls(text)).toEqual([
    "postgresql://me:x@a:1/starpost?sslmode=require",
    "postgresql://me:x@b.example:2/starpost?sslmode=require",
    "postgresql://me:x@c/starpost?sslmode=require",
  ]);
});

test("standbys are asked for as such, or not at all", () => {
  const urls = ["postgresql://a/starpost", "postgresql://b/starpost"];
  for (const kind of ["", "?target_session_attrs=standby", "?target_session_attrs=any"]) {
    expect(listServerUrls(`postgresql://a,b/starpost${kind}`, "standby")).toEqual(urls);
  }
  const other = "postgresql://a,b/starpost?target_session_attrs=read-write";
  expect(listServerUrls(other, "standby")).toBeNull();
});

test.each([
  "mysql://a,b/starpost",
  "postgresql://a:1,b:x/starpost",
  "postgresql://a,b/starpost?target_session_attrs=standby",
  "a,b",
])("%s is refused", (text) => {
  expect(listServerUrls(text)).toBeNull();
});
