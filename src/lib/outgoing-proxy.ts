// The proxy to the outside that the operator's settings name: which hosts are reached through it, and the dispatcher for
// them. Without one, and for excepted hosts, requests go to the host themselves, whatever the environment says.
import { type Agent, type Dispatcher, ProxyAgent } from "undici";

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

/** @param options of the direct agent, which the one for the proxy has as well */
export function openRoutes(
  proxy: OutgoingProxy | null,
  { direct, options }: { direct: Agent; options: Agent.Options },
): Routes {
  // A proxy need not tunnel plain HTTP: many tunnel to port 443 alone.
  const agent = proxy && new ProxyAgent({ ...options, uri: proxy.url, proxyTunnel: false });
  const isProxied = (host: string): boolean =>
    proxy !== null && !proxy.except.some((one) => isSameOrBelow(host.toLowerCase(), one));
  return {
    isProxied,
    dispatcherFor: (host) => (agent !== null && isProxied(host) ? agent : direct),
    async destroy() {
      await Promise.all([direct.destroy(), agent?.destroy()]);
    },
  };
}

function isSameOrBelow(host: string, one: string): boolean {
  return one.startsWith(".") ? host.endsWith(one) || host === one.slice(1) : host === one;
}
