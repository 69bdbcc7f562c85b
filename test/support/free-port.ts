// A port for programs that can't choose one themselves.
import { once } from "node:events";
import net from "node:net";

/** On 127.0.0.1; another process may still take it first. */
export async function findFreePort(): Promise<number> {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
