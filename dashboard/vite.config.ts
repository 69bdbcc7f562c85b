// Builds the pages into static files without inline scripts or styles and without requests to other hosts.
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [react()],
  build: {
    target: ["chrome123", "firefox121", "safari17.5"],
    // The content security policy would have to allow data: URLs.
    assetsInlineLimit: 0,
    // All browsers of the target list support modulepreload.
    modulePreload: { polyfill: false },
    rolldownOptions: { checks: { pluginTimings: false } },
    reportCompressedSize: false,
  },
});
