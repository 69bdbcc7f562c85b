import { networkInterfaces } from "node:os";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openAddressPolicy } from "./address-policy.ts";

const strict = openAddressPolicy([]);

describe("without any setting", () => {
  test.each([
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.169.254",
    "168.63.129.16",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "192.175.48.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.7",
    "203.0.113.7",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:169.254.169.254",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "ff02::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::1",
    "3fff::1",
    "2600:1234::5efe:127.0.0.1",
    "2600:1234::200:5efe:10.0.0.1",
    "not an address",
    "fe80::1%lo",
    "",
  ])("%s is refused, and the reason names the setting", (address) => {
    expect(strict.refuse(address)).toContain("WEBHOOK_ALLOWED_CIDRS");
  });

  test.each([
    "1.1.1.1",
    "8.8.8.8",
    "172.32.0.1",
    "100.128.0.1",
    "::ffff:8.8.8.8",
    "2600:1234::1",
    "2a00:1450::8",
    "2600:1234::5efe:8.8.8.8",
  ])("%s is public", (address) => {
    expect(strict.refuse(address)).toBeNull();
  });

  test("no IPv4 address is judged differently when it is written as a mapped one", () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const isRefused = strict.refuse(address) !== null;
        expect(strict.refuse(`::ffff:${address}`) !== null).toBe(isRefused);
      }),
    );
  });

  test("this host's own addresses are refused", () => {
    const own = Object.values(networkInterfaces()).flatMap((some) => some ?? []);
    expect(own.length).toBeGreaterThan(0);
    for (const { address } of own) expect(strict.refuse(address)).not.toBeNull();
  });
});

test("what the operator allows is reached, and only that", () => {
  const policy = openAddressPolicy(["10.1.0.0/16", "127.0.0.1/32", "fd00::/8"]);
  expect(policy.refuse("10.1.255.1")).toBeNull();
  expect(policy.refuse("::ffff:10.1.0.1")).toBeNull();
  expect(policy.refuse("fd12::1")).toBeNull();
  expect(policy.refuse("10.2.0.1")).not.toBeNull();
  expect(policy.refuse("127.0.0.2")).not.toBeNull();
  expect(policy.refuse("::1")).not.toBeNull();
});

test("without permission to list network interfaces, public addresses are still reachable and private ones refused", () => {
  const policy = openAddressPolicy([], () => {
    throw new Error("uv_interface_addresses returned Unknown system error 97");
  });
  expect(policy.refuse("93.184.216.34")).toBeNull();
  expect(policy.refuse("10.1.2.3")).toContain("not public");
});
