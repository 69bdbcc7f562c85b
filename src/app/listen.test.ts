import { once } from "node:events";
import { type AddressInfo, connect, createServer, Server } from "node:net";
import { expect, test } from "vitest";
import { hasIpv6 } from "../../test/support/ipv6.ts";
import { listen } from "./listen.ts";

async function isAnsweredAt(server: Server, host: string): Promise<boolean> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ host, port });
  const [event] = await Promise.race([
    once(socket, "connect").then(() => ["connect"]),
    once(socket, "error").then(() => ["error"]),
  ]).catch(() => ["error"]);
  socket.destroy();
  return event === "connect";
}

/** Its machine can't listen on the address. */
class RefusingServer extends Server {
  code = "";

  override listen(...args: unknown[]): this {
    const error = Object.assign(new Error(`listen ${this.code}: ${args[1]}`), { code: this.code });
    queueMicrotask(() => this.emit("error", error));
    return this;
  }
}

/** A server of a machine without IPv6. */
class Ipv4Server extends RefusingServer {
  #isRefused = false;

  override listen(...args: unknown[]): this {
    if (args[1] === "::" && !this.#isRefused) {
      this.#isRefused = true;
      return super.listen(...args);
    }
    return Server.prototype.listen.apply(this, args as Parameters<Server["listen"]>) as this;
  }
}

test.skipIf(!hasIpv6())("`::` serves both families", async () => {
  const server = createServer();
  await listen(server, { host: "::", port: 0 });
  expect(await isAnsweredAt(server, "127.0.0.1")).toBe(true);
  expect(await isAnsweredAt(server, "::1")).toBe(true);
  server.close();
});

test.each(["EAFNOSUPPORT", "EADDRNOTAVAIL"])(
  "`::` serves IPv4 where IPv6 is off (%s)",
  async (code) => {
    const server = Object.assign(new Ipv4Server(), { code });
    await listen(server, { host: "::", port: 0 });
    expect(await isAnsweredAt(server, "127.0.0.1")).toBe(true);
    server.close();
  },
);

test.each([
  ["EADDRNOTAVAIL", "is not an address of this machine; set HOST"],
  ["EAFNOSUPPORT", "is not an address of this machine; set HOST"],
  ["ENOTFOUND", "is not a name of this machine; set HOST"],
  ["EAI_AGAIN", "is not a name of this machine; set HOST"],
  ["EACCES", "set PORT to one above 1023"],
])("%s names the setting", async (code, words) => {
  const server = Object.assign(new RefusingServer(), { code });
  const refused = listen(server, { host: "starpost.example", port: 80 });
  await expect(refused).rejects.toThrow(words);
});

test("an address of another machine is an error that names the setting", async () => {
  const refused = listen(createServer(), { host: "192.0.2.1", port: 0, hostSetting: "HOST" });
  await expect(refused).rejects.toThrow("HOST");
});
