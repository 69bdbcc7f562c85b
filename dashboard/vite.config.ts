// Builds the pages into static files without inline scripts or styles and without requests to other hosts.
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { isBeforeSignIn } from "../src/dashboard-api/session/sign-in-pages.ts";
import { browsers } from "./browsers.ts";
import { namePageChunks } from "./page-chunks.ts";

const isOfStart = /^(?!.*(uplot|uqr|second-factor-(card|set)|compare\/comparison|region-picker))/;

export default defineConfig({
  plugins: [react(), namePageChunks(), serveSignIn()],
  build: {
    target: browsers,
    emptyOutDir: true,
    // The content security policy would have to allow data: URLs.
    assetsInlineLimit: 0,
    // One style sheet: a page would else wait for several.
    cssCodeSplit: false,
    // All browsers of the target list support modulepreload.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      checks: { pluginTimings: false },
      output: {
        // Besides the start, a chunk for each page, and one for the lines of charts. Code that two share is loaded with the
        // start, except for code that only rarer pages need.
        codeSplitting: { groups: [{ name: "start", test: isOfStart, minShareCount: 2 }] },
      },
    },
    reportCompressedSize: false,
  },
});

/** For `npm run dev`: chooses the document as the service does. */
function serveSignIn(): Plugin {
  return {
    name: "serve-sign-in",
    configureServer({ middlewares }) {
      middlewares.use((request, _, next) => {
        const { accept = "", cookie = "" } = request.headers;
        const [path = ""] = (request.url ?? "").split("?");
        const isPage = accept.includes("text/html");
        if (isPage && isBeforeSignIn(path, /\bstarpost=/.test(cookie))) {
          request.url = "/sign-in.html";
        }
        next();
      });
    },
  };
}
