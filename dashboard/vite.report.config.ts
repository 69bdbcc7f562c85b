// Builds the template of `starpost report` into one file of HTML: scripts, styles and fonts are in it.
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { browsers } from "./browsers.ts";

export default defineConfig({
  plugins: [react(), inlineFiles()],
  publicDir: false,
  build: {
    target: browsers,
    emptyOutDir: true,
    assetsInlineLimit: 1_000_000,
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: "dashboard/report.html", output: { codeSplitting: false } },
    reportCompressedSize: false,
  },
});

function inlineFiles(): Plugin {
  return {
    name: "inline-files",
    enforce: "post",
    generateBundle(_, bundle) {
      const page = Object.values(bundle).find(({ fileName }) => fileName.endsWith(".html"));
      if (page?.type !== "asset") throw new Error("the build made no page");
      let html = String(page.source);
      for (const file of Object.values(bundle)) {
        if (file === page) continue;
        const tag = new RegExp(`<(script|link)[^>]*"/${file.fileName}"[^>]*>(</script>)?`);
        const content =
          file.type === "chunk"
            ? // The end of a script ends the element, wherever it is.
              `<script type="module">${file.code.replaceAll("</script", "<\\/script")}</script>`
            : `<style>${file.source}</style>`;
        if (!tag.test(html)) throw new Error(`the page does not load ${file.fileName}`);
        html = html.replace(tag, () => content);
        delete bundle[file.fileName];
      }
      page.source = html;
    },
  };
}
