// Builds the pages into static files that need no inline script or style and ask nothing of any other host.
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [react()],
  build: {
    target: ["chrome123", "firefox121", "safari17.5"],
    // A data: URL would need room in the content security policy.
    assetsInlineLimit: 0,
    // Every browser of the target list knows modulepreload.
    modulePreload: { polyfill: false },
    rolldownOptions: { checks: { pluginTimings: false } },
    reportCompressedSize: false,
  },
});
