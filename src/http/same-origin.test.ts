import { Hono } from "hono";
import { expect, test } from "vitest";
import { requireSameOrigin } from "./same-origin.ts";

const app = new Hono();
app.use(requireSameOrigin("https://reviews.example.com"));
app.all("/", (context) => context.text("done"));
app.onError((error, context) => context.text(error.message, 403));

async function statusOf(method: string, headers: Record<string, string>): Promise<number> {
  const all = { host: "127.0.0.1:8080", ...headers };
  return (await app.request("http://127.0.0.1:8080/", { method, headers: all })).status;
}

test.each([
  [{ "sec-fetch-site": "same-origin" }, 200],
  [{ origin: "https://reviews.example.com" }, 200],
  [{ origin: "http://127.0.0.1:8080" }, 200],
  [{ origin: "https://reviews.example.com.evil.example" }, 403],
  [{ origin: "http://127.0.0.1:8081" }, 403],
  [{ "sec-fetch-site": "none" }, 403],
  [{ "sec-fetch-site": "cross-site", origin: "https://reviews.example.com" }, 403],
  [{ "sec-fetch-site": "cross-site", "content-type": "application/json" }, 403],
  [{}, 403],
])("a request that changes something with %o is answered %i", async (headers, status) => {
  expect(await statusOf("POST", headers as Record<string, string>)).toBe(status);
});

test("reading is open to links from other sites", async () => {
  expect(await statusOf("GET", { "sec-fetch-site": "cross-site" })).toBe(200);
});
