// Builds the pages before the sign-in beside the application, and apart from it: what both share is in either.
import fs from "node:fs";
import path from "node:path";
import { defineConfig, type Plugin } from "vite";
import { browsers } from "./browsers.ts";

export default defineConfig({
  plugins: [nameApplication()],
  build: {
    target: browsers,
    assetsInlineLimit: 0,
    emptyOutDir: false,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: "dashboard/sign-in.html" },
    reportCompressedSize: false,
  },
});

/** Names the scripts of the application, so that they can be loaded while the user types. */
function nameApplication(): Plugin {
  let built = "";
  return {
    name: "name-application",
    configResolved({ root, build }) {
      built = path.resolve(root, build.outDir, "index.html");
    },
    transformIndexHtml(html) {
      const index = fs.readFileSync(built, "utf8");
      const names = [...index.matchAll(/(?:src|href)="(\/assets\/[\w.-]+\.js)"/g)].map(
        ([, name]) => name,
      );
      return html.replace(
        'data-page="sign-in"',
        `data-page="sign-in" data-next="${names.join(" ")}"`,
      );
    },
  };
}
