// The style sheet of the reference page and the guides.
import fs from "node:fs";
import { languageStyles } from "./code-examples.ts";

const fixedStyles = fs.readFileSync(new URL("style.css", import.meta.url), "utf8");

export const styleSheet = `${fixedStyles}${languageStyles}\n`;
