import { Hono } from "hono";
import { expect, test } from "vitest";
import { requireKnownHost } from "./known-host.ts";

const names = {
  publicUrl: "https://reviews.example.com",
  publicNames: ["reviews.internal", ".corp.example"],
  host: "Starpost.lan",
};

async function statusOf(host: string): Promise<number> {
  const app = new Hono().use(requireKnownHost(names)).get("/", (context) => context.text("ok"));
  app.onError((_, context) => context.text("refused", 403));
  return (await app.request("http://x/", { headers: { host } })).status;
}

test.each([
  ["reviews.example.com", 200],
  ["Reviews.Example.Com:443", 200],
  ["reviews.example.com.", 200],
  ["reviews.example.com.:8443", 200],
  ["reviews.internal", 200],
  ["reviews.internal.:80", 200],
  ["a.corp.example", 200],
  ["starpost.lan", 200],
  ["localhost:8080", 200],
  ["localhost.", 200],
  ["127.0.0.1:8080", 200],
  ["[::1]:8080", 200],
  ["corp.example", 403],
  ["evilcorp.example", 403],
  ["evil.example.com", 403],
  ["reviews.example.com.evil.example", 403],
  ["", 403],
  ["a b", 403],
])("a request for the host %j gets %i", async (host, status) => {
  expect(await statusOf(host)).toBe(status);
});
