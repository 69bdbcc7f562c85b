import { once } from "node:events";
import net from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createPool } from "../../database/pool.ts";
import { silentLog } from "../log.ts";

// https://www.postgresql.org/docs/current/protocol-message-formats.html
function message(type: string, body: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + Buffer.byteLength(body));
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)]);
}

const authenticated = message("R", "\0\0\0\0");
const ready = message("Z", "I");
const ended = message("E", "SFATAL\0VFATAL\0C57P01\0Mended by an administrator\0\0");

test("a connection that ends in the packet that says it is ready does not end the process", async () => {
  const server = net.createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(Buffer.concat([authenticated, ready, ended])));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as net.AddressInfo;
  const connection = { host: "127.0.0.1", port, user: "starpost", database: "starpost" };
  const pool = createPool({ log: silentLog, connection, name: "test" });
  onTestFinished(() => pool.end());

  // An unhandled error event fails the run.
  await expect(pool.query("select 1")).rejects.toThrow(/not queryable|terminated|administrator/);
});
