import { Hono } from "hono";
import { expect, test } from "vitest";
import { stayOnTls } from "../../http/security-headers.ts";
import { createCookies } from "./cookies.ts";
import { browserOf } from "./sessions.ts";

async function headersOf(publicUrl: string | null, token: string | null): Promise<Headers> {
  const app = new Hono();
  app.use(stayOnTls(publicUrl));
  app.get("/", (context) => {
    createCookies(publicUrl)(context).write("session", token);
    return context.text("done");
  });
  return (await app.request("http://starpost.test/")).headers;
}

test("over TLS the cookie is Secure and for this host alone, and the host stays on TLS", async () => {
  const secure = await headersOf("https://reviews.example.com", "t".repeat(43));
  expect(secure.get("set-cookie")).toBe(
    `__Host-starpost=${"t".repeat(43)}; Max-Age=2592000; Path=/; HttpOnly; Secure; SameSite=Lax`,
  );
  expect(secure.get("strict-transport-security")).toBe("max-age=31536000");
  const plain = await headersOf(null, null);
  expect(plain.get("set-cookie")).toContain("starpost=; Max-Age=0; Path=/");
  expect(plain.get("strict-transport-security")).toBeNull();
});

test("a browser's name is cut and printable", async () => {
  const app = new Hono().get("/", (context) => context.text(browserOf(context)));
  const headers = { "user-agent": `\u00e9${"B".repeat(400)}` };
  const text = await (await app.request("http://starpost.test/", { headers })).text();
  expect(text).toBe("B".repeat(300));
});
