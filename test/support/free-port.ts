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

/** Opens a service that has to know its address beforehand; on another port where a process took the first one meanwhile. */
export async function onFreePort<T>(
  open: (address: { PORT: string; PUBLIC_URL: string }) => Promise<T>,
): Promise<T> {
  for (let triesLeft = 4; ; triesLeft -= 1) {
    const PORT = String(await findFreePort());
    try {
      return await open({ PORT, PUBLIC_URL: `http://127.0.0.1:${PORT}` });
    } catch (error) {
      if (triesLeft === 0 || !String(error).includes("is in use")) throw error;
    }
  }
}
