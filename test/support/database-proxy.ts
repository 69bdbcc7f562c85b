// A proxy in front of PostgreSQL, which goes away as servers do: it cuts what is open and refuses what comes, or
// swallows everything like a link that died in silence; or it leads to another server, as after a promotion.
import { once } from "node:events";
import net from "node:net";

export type DatabaseProxy = {
  /** The same database, through the proxy. */
  urlOf(connectionString: string): string;
  /** Cuts what is open and whatever comes, until `pass`. */
  cut(): void;
  /** Neither passes anything on nor ends anything, until `pass`, which leaves the swallowed connections dead. */
  swallow(): void;
  /** From now on to the server of this URL, or to the one before. */
  pass(connectionString?: string): void;
  close(): Promise<void>;
};

type Pair = readonly [inside: net.Socket, outside: net.Socket];

export async function openDatabaseProxy(connectionString: string): Promise<DatabaseProxy> {
  let target = connectionString;
  let mode: "pass" | "cut" | "swallow" = "pass";
  const pairs = new Set<Pair>();
  const server = net.createServer((inside) => {
    inside.on("error", () => {});
    if (mode === "cut") {
      inside.destroy();
      return;
    }
    const pair: Pair = [inside, connect(target)];
    pairs.add(pair);
    join(pair, () => pairs.delete(pair));
    if (mode === "swallow") part(pair);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const cutAll = (): void => {
    for (const sockets of pairs) for (const socket of sockets) socket.destroy();
  };
  return {
    urlOf(original) {
      const url = new URL(original);
      url.searchParams.delete("host");
      url.host = `127.0.0.1:${address.port}`;
      return url.href;
    },
    cut() {
      mode = "cut";
      cutAll();
    },
    swallow() {
      mode = "swallow";
      for (const pair of pairs) part(pair);
    },
    pass(next = target) {
      target = next;
      mode = "pass";
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      cutAll();
      await closed;
    },
  };
}

function connect(connectionString: string): net.Socket {
  const url = new URL(connectionString);
  const port = Number(url.port || 5432);
  const folder = url.searchParams.get("host");
  return folder ? net.connect(`${folder}/.s.PGSQL.${port}`) : net.connect(port, url.hostname);
}

function join([inside, outside]: Pair, onEnd: () => void): void {
  inside.pipe(outside).pipe(inside);
  outside.on("error", () => {});
  inside.once("close", () => outside.destroy());
  inside.once("close", onEnd);
  outside.once("close", () => inside.destroy());
}

function part([inside, outside]: Pair): void {
  inside.unpipe(outside);
  outside.unpipe(inside);
  // The server must notice nothing, nor may the client.
  outside.removeAllListeners("close");
  inside.resume();
  outside.resume();
}
