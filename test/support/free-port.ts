// A port for programs that can't choose one themselves.
import { randomInt } from "node:crypto";
import { once } from "node:events";
import net from "node:net";

/** Below the ports that systems give to outgoing connections and to listeners without a wish, which would take it meanwhile. */
const range = [20_000, 32_000] as const;

/** On 127.0.0.1. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...range);
    const server = net.createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === "EADDRINUSE") return false;
        throw error;
      },
    );
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}
