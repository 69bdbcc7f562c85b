// The proxy to the outside that the operator's settings name: which hosts are reached through it, and the dispatcher for
// them. Without one, and for excepted hosts, requests go to the host themselves, whatever the environment says.
import { type Agent, type buildConnector, type Dispatcher, Pool, ProxyAgent } from "undici";
import { ProxyError } from "./failure-causes.ts";
import { readTunnelRefusal } from "./proxy-answer.ts";
import { secondMs } from "./timestamp.ts";
import { plainHost } from "./urls.ts";

export type OutgoingProxy = {
  url: string;
  /** Hosts that are reached without it; a leading dot means all names below. */
  except: readonly string[];
};

type Routes = {
  /** Whether requests to the host go through the proxy. */
  isProxied(host: string): boolean;
  dispatcherFor(host: string): Dispatcher;
  destroy(): Promise<void>;
};

/** Until a proxy must have answered; its sender ends the whole request. */
const tunnelMs = 10 * secondMs;

/** @param options of the direct agent, which the one for the proxy has as well */
export function openRoutes(
  proxy: OutgoingProxy | null,
  { direct, options }: { direct: Agent; options: Agent.Options },
): Routes {
  const agent = proxy && openProxyAgent(proxy.url, options);
  const isProxied = (host: string): boolean =>
    proxy !== null &&
    !proxy.except.some((one) => isSameOrBelow(plainHost(host.toLowerCase()), plainHost(one)));
  return {
    isProxied,
    dispatcherFor: (host) => (agent !== null && isProxied(host) ? agent : direct),
    async destroy() {
      await Promise.all([direct.destroy(), agent?.destroy()]);
    },
  };
}

function openProxyAgent(uri: string, options: Agent.Options): ProxyAgent {
  const { href } = new URL(uri);
  return new ProxyAgent({
    ...options,
    uri,
    // A proxy need not tunnel plain HTTP: many tunnel to port 443 alone.
    proxyTunnel: false,
    clientFactory(origin, own: Pool.Options) {
      const pool = new Pool(origin, { ...own, headersTimeout: tunnelMs });
      const connect = pool.connect.bind(pool);
      const tunnel = async (target: Dispatcher.ConnectOptions) => {
        const answer = await connect(target).catch((error: unknown) => {
          // Without a name undici makes a broken tunnel again, at once and for ever.
          throw new ProxyError(error);
        });
        if (answer.statusCode === 200) return answer;
        throw new ProxyError(await readTunnelRefusal(answer));
      };
      return Object.assign(pool, { connect: tunnel });
    },
    factory: (origin, own: Pool.Options) =>
      new Pool(origin, String(origin) === href ? { ...own, connect: named(own.connect) } : own),
  });
}

/** Plain HTTP has no tunnel: the connection is the proxy's. */
function named(connect: Pool.Options["connect"]): buildConnector.connector {
  return (target, done) =>
    (connect as buildConnector.connector)(target, (...[error, socket]) =>
      error ? done(new ProxyError(error), null) : done(null, socket),
    );
}

function isSameOrBelow(host: string, one: string): boolean {
  return one.startsWith(".") ? host.endsWith(one) || host === one.slice(1) : host === one;
}
