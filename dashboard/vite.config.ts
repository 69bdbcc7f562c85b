// Builds the pages into static files without inline scripts or styles and without requests to other hosts.
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { namePageChunks } from "./page-chunks.ts";

const isOfStart = /^(?!.*(uplot|uqr|second-factor-(card|set)|compare\/comparison|region-picker))/;

export default defineConfig({
  plugins: [react(), namePageChunks()],
  build: {
    target: ["chrome123", "firefox121", "safari17.5"],
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
