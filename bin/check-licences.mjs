// Refuses packages whose licence is not one of those that we looked at. Packages that ship with Starpost must permit
// redistribution; tools of development may have a licence that covers their own files.
import fs from "node:fs";
import process from "node:process";

// OFL: the dashboard's font, whose licence goes along in dashboard/public.
const shipped = "MIT ISC Apache-2.0 BSD-2-Clause BSD-3-Clause 0BSD MIT-0 Unlicense OFL-1.1".split(
  " ",
);
const tools = [...shipped, "MIT OR Apache-2.0", "MPL-2.0", "BlueOak-1.0.0"];

const lock = JSON.parse(fs.readFileSync(new URL("../package-lock.json", import.meta.url), "utf8"));
const packages = Object.entries(lock.packages).filter(
  ([path, entry]) => path !== "" && !entry.link,
);
const refused = packages.filter(([path, { dev, license }]) => {
  const isOurs = !path.startsWith("node_modules/");
  return !isOurs && !(dev ? tools : shipped).includes(license);
});
for (const [path, { license }] of refused) {
  process.stderr.write(`${path}: licence ${license ?? "unknown"} is not one of ours\n`);
}
process.stdout.write(`${packages.length - refused.length} packages with known licences\n`);
process.exitCode = refused.length > 0 ? 1 : 0;
