// Listening on an address of the settings, with errors that name the setting to change.
import { createServer, type Server } from "node:net";
import type { Config } from "../config/config.ts";
import { AppError } from "../domain/error.ts";
import { errorCode } from "../lib/errors.ts";

export type ListenOptions = {
  host: string;
  port: number;
  /** The setting to change when the port is taken. */
  portSetting?: "PORT" | "METRICS_PORT";
  /** The setting to change when the address is not this machine's. */
  hostSetting?: "HOST" | "METRICS_HOST";
};

/** @throws AppError `unavailable` when the port is taken or the address is not this machine's */
export function listen(server: Server, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      // "::" means all addresses; a machine without IPv6 has those of IPv4.
      const isWithoutIpv6 = /^(EAFNOSUPPORT|EADDRNOTAVAIL)$/.test(errorCode(error));
      if (options.host !== "::" || !isWithoutIpv6) return reject(explain(error, options));
      listen(server, { ...options, host: "0.0.0.0" }).then(resolve, reject);
    });
    server.listen(options.port, options.host, resolve);
  });
}

/**
 * Tries the ports of the settings before anything is created. Another program can still take one until
 * the service listens; it says so then.
 *
 * @throws AppError `unavailable` with the setting to change
 */
export async function requireFreePorts(config: ListenConfig): Promise<void> {
  for (const address of listListenAddresses(config)) await tryToListen(address);
}

type ListenConfig = Pick<Config, "host" | "port" | "metricsHost" | "metricsPort">;

export function listListenAddresses(config: ListenConfig): Required<ListenOptions>[] {
  const { host, port, metricsHost, metricsPort } = config;
  const main = { host, port, portSetting: "PORT" as const, hostSetting: "HOST" as const };
  if (metricsPort === null) return [main];
  const metrics = { portSetting: "METRICS_PORT", hostSetting: "METRICS_HOST" } as const;
  return [main, { host: metricsHost, port: metricsPort, ...metrics }];
}

/** @throws AppError `unavailable`, as {@link listen} */
export async function tryToListen(address: ListenOptions): Promise<void> {
  const server = createServer();
  await listen(server, address);
  await new Promise((resolve) => server.close(resolve));
}

function explain(error: Error, options: ListenOptions): AppError {
  const code = errorCode(error);
  const { portSetting = "PORT", hostSetting = "HOST" } = options;
  const where = `${options.host}:${options.port}`;
  const noAddress = `${options.host} is not an address of this machine; set ${hostSetting}`;
  const noName = `${options.host} is not a name of this machine; set ${hostSetting}`;
  const reasons: Record<string, string> = {
    EADDRINUSE: `${where} is in use by another program; stop it, or set ${portSetting} to a free one`,
    EACCES: `this user may not listen on ${where}; set ${portSetting} to one above 1023`,
    EADDRNOTAVAIL: noAddress,
    // Without the family of the address.
    EAFNOSUPPORT: noAddress,
    ENOTFOUND: noName,
    // No name server answers.
    EAI_AGAIN: noName,
  };
  const reason = reasons[String(code)] ?? `can't listen on ${where}: ${error.message}`;
  return new AppError("unavailable", reason, { cause: error });
}
