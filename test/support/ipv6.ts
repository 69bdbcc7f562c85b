// Tests that connect to `::1` are skipped on machines without IPv6, with a message.
import os from "node:os";
import process from "node:process";

export function hasIpv6(): boolean {
  const isThere = Object.values(os.networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => address === "::1"),
  );
  if (!isThere) process.stderr.write("no IPv6 here: the tests that connect to ::1 are skipped\n");
  return isThere;
}
