// This version of Starpost, from package.json beside src/.
import fs from "node:fs";

const packageFile = new URL("../../package.json", import.meta.url);

/** Every command line needs it at once, so the file that ships with the code is read without a schema. */
export const version: string = JSON.parse(fs.readFileSync(packageFile, "utf8")).version;
