// Which addresses a delivery may reach: public ones, and what the operator allows. Everything that is
// private, reserved or this host itself is refused, in words that name the setting.
import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { canParseUrl } from "../../lib/urls.ts";

export type AddressPolicy = {
  /** Why an address is refused, or null when it may be reached. Not an address: refused. */
  refuse(address: string): string | null;
  /** Whether the operator allows this address by name of its network. */
  isAllowListed(address: string): boolean;
};

// IANA special-purpose registry, multicast and reserved space, and the address inside of every Azure network.
const blocked4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12
  192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15
  168.63.129.16/32 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`.split(/\s+/);
// Only global unicast is public; these parts of it are not: protocol assignments with Teredo,
// documentation, 6to4.
const public6 = ["2000::/3"];
const blocked6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

export function openAddressPolicy(
  allowedCidrs: readonly string[],
  listInterfaces = networkInterfaces,
): AddressPolicy {
  const allowed = {
    4: listOf(allowedCidrs.filter((cidr) => !cidr.includes(":"))),
    6: listOf(allowedCidrs.filter((cidr) => cidr.includes(":"))),
  };
  // One list per family: in a mixed list the check of a mapped address fails open.
  const lists = {
    blocked4: listOf(blocked4),
    public6: listOf(public6),
    blocked6: listOf(blocked6),
  };

  function isAllowListed(text: string): boolean {
    const address = unwrap(text);
    if (isIP(address) === 4) return allowed[4].check(address, "ipv4");
    return isIP(address) === 6 && allowed[6].check(address, "ipv6");
  }

  function isBlocked(address: string): boolean {
    if (isIP(address) === 4) return lists.blocked4.check(address, "ipv4");
    if (isIP(address) !== 6) return true;
    const isPublic = lists.public6.check(address, "ipv6") && !lists.blocked6.check(address, "ipv6");
    const inner = isatapInner(address);
    return !isPublic || (inner !== null && lists.blocked4.check(inner, "ipv4"));
  }

  return {
    isAllowListed,
    refuse(text) {
      const address = unwrap(text);
      if (isAllowListed(address)) return null;
      const isRefused = isBlocked(address) || isOwn(address, listInterfaces);
      return isRefused
        ? `the address ${text} is not public; WEBHOOK_ALLOWED_CIDRS can allow it`
        : null;
    },
  };
}

function listOf(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = "", bits = ""] = cidr.split("/");
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? "ipv6" : "ipv4");
  }
  return list;
}

// A public address of this host would reach services that listen only for the host itself.
function isOwn(address: string, listInterfaces: typeof networkInterfaces): boolean {
  try {
    return Object.values(listInterfaces()).some((some) =>
      some?.some((own) => own.address === address),
    );
  } catch {
    // A sandbox without netlink sockets (systemd's RestrictAddressFamilies) hides the interfaces. The lists
    // above still hold, and `starpost doctor` reports the missing permission.
    return false;
  }
}

/** A v4 address inside ::ffff:0:0/96 as what it is; anything else unchanged. */
function unwrap(address: string): string {
  const groups = groupsOf(address);
  const isMapped = groups?.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  return groups && isMapped ? dotted(groups) : address;
}

/** The v4 address inside an ISATAP interface id (RFC 5214, 6.1), or null. */
function isatapInner(address: string): string | null {
  const groups = groupsOf(address);
  const isIsatap = groups?.[5] === 0x5efe && [0, 0x200].includes(groups[4] ?? -1);
  return groups && isIsatap ? dotted(groups) : null;
}

function dotted(groups: readonly number[]): string {
  const [high = 0, low = 0] = groups.slice(6);
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** The eight groups of a v6 address, or null when it is none. */
function groupsOf(address: string): number[] | null {
  // The URL parser knows every way to write one, and refuses zones.
  const url = `http://[${address}]/`;
  if (isIP(address) !== 6 || !canParseUrl(url)) return null;
  const [head = "", tail] = new URL(url).hostname.slice(1, -1).split("::");
  const before = parseGroups(head);
  const after = parseGroups(tail ?? "");
  const zeros = new Array<number>(8 - before.length - after.length).fill(0);
  return [...before, ...zeros, ...after];
}

function parseGroups(text: string): number[] {
  return text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
}
