// Host names to addresses that may be reached: by the hosts file, by DNS, and last by the system's resolver, which knows
// search lists and further sources such as mDNS. Its few threads serve the whole process and a handful of dead names would
// block them, so it is asked last and by two look-ups at a time. Keeps answers for a short while.

import { lookup, Resolver } from "node:dns/promises";
import fs from "node:fs/promises";
import { isIP } from "node:net";
import { keepRecent } from "../../lib/bounded-map.ts";
import { type Clock, monotonicMs } from "../../lib/clock.ts";
import type { AddressPolicy } from "./address-policy.ts";

export type HostNames = { resolve(name: string): Promise<Resolved> };

type Resolved =
  | { kind: "found"; addresses: readonly string[] }
  /** Some address of the name must not be reached. */
  | { kind: "refused"; reason: string }
  | { kind: "failed"; reason: string };

/** All addresses of a name; empty when it has none or no server answers. */
export type ResolveDns = (name: string) => Promise<readonly string[]>;

const keepMs = 30_000;
const keepFailureMs = 5_000;
const keptMax = 10_000;

export function openHostNames(open: {
  clock: Clock;
  addresses: AddressPolicy;
  resolveDns?: ResolveDns;
  /** Where this host's own names are. */
  hostsFile?: string;
}): HostNames {
  const resolveDns = open.resolveDns ?? createSystemNames();
  const hostsFile = open.hostsFile ?? "/etc/hosts";
  const kept = new Map<string, { until: number; answer: Promise<Resolved> }>();

  async function lookUp(name: string, host: string): Promise<Resolved> {
    const own = isLocalhost(name)
      ? ["127.0.0.1", "::1", ...(await readHosts(hostsFile, name))]
      : await readHosts(hostsFile, name);
    const allowed = [...new Set(own)].filter((address) => open.addresses.isAllowListed(address));
    if (allowed.length > 0) return { kind: "found", addresses: allowed };
    // Names of this machine's own hosts file are refused unless their address is allowed or public.
    const refusal = firstRefusal(open.addresses, own);
    if (refusal !== null) return { kind: "refused", reason: `${name}: ${refusal}` };
    return judge(name, await resolveDns(host));
  }

  function judge(name: string, addresses: readonly string[]): Resolved {
    if (addresses.length === 0)
      return { kind: "failed", reason: `the host name ${name} can't be resolved` };
    // A name is refused when one of its addresses is: an attacker can mix allowed and forbidden ones.
    const refusal = firstRefusal(open.addresses, addresses);
    return refusal === null
      ? { kind: "found", addresses }
      : { kind: "refused", reason: `${name}: ${refusal}` };
  }

  return {
    resolve(host) {
      const key = host.toLowerCase();
      const name = key.replace(/\.$/, "");
      const now = open.clock.now().getTime();
      const known = kept.get(key);
      if (known && known.until > now) return known.answer;
      const entry = { until: now + keepMs, answer: lookUp(name, key) };
      keepRecent(kept, { key, value: entry, countMax: keptMax });
      return entry.answer.then((answer) => {
        if (answer.kind !== "found") entry.until = now + keepFailureMs;
        return answer;
      });
    },
  };
}

function firstRefusal(policy: AddressPolicy, addresses: readonly string[]): string | null {
  for (const address of addresses) {
    const reason = policy.refuse(address);
    if (reason !== null) return reason;
  }
  return null;
}

// RFC 6761, 6.3: these names mean this host, whatever DNS says.
function isLocalhost(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost");
}

async function readHosts(file: string, name: string): Promise<string[]> {
  // A host without that file has no names of its own.
  const content = await fs.readFile(file, "utf8").catch(() => "");
  return content.split("\n").flatMap((line) => {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    return isIP(address) !== 0 && names.some((one) => one.toLowerCase() === name) ? [address] : [];
  });
}

const systemLookupsMax = 2;
const systemLookupMs = 5_000;

export function createSystemNames(): ResolveDns {
  const lookUpBySystem = createSystemLookup();
  return async (name) => {
    const addresses = await lookUpByDns(name);
    return addresses.length > 0 ? addresses : lookUpBySystem(name);
  };
}

async function lookUpByDns(name: string): Promise<string[]> {
  // A resolver reads the servers once, and a machine gets others when it changes its network.
  const resolver = new Resolver({ timeout: 800, tries: 1 });
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  // A family without an answer is the usual case; only what was answered is ever connected to.
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
}

function createSystemLookup(): ResolveDns {
  const running = new Set<Promise<unknown>>();
  return async (name) => {
    const untilMs = monotonicMs() + systemLookupMs;
    while (running.size >= systemLookupsMax) {
      if (monotonicMs() > untilMs) return [];
      await Promise.race([...running, pause(systemLookupMs)]);
    }
    const found = lookup(name, { all: true }).then(
      (addresses) => addresses.map(({ address }) => address),
      () => [],
    );
    running.add(found);
    void found.then(() => running.delete(found));
    return Promise.race([found, pause(systemLookupMs).then(() => [])]);
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
