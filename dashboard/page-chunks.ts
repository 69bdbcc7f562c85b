// Names the chunk of each page in index.html, so that start.js can load it beside the start of the application, before the
// router asks for it.
import type { Plugin } from "vite";

/** The module of a page by the first part of its path within a workspace. */
const pages = {
  compare: "compare/compare.tsx",
  releases: "release/release-page.tsx",
  sources: "sources/sources.tsx",
  keys: "keys/keys.tsx",
  settings: "settings/settings.tsx",
};

export function namePageChunks(): Plugin {
  return {
    name: "page-chunks",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle = {} }) {
        const chunks = Object.entries(pages).flatMap(([page, module]) => {
          const chunk = Object.values(bundle).find(
            (one) => one.type === "chunk" && one.facadeModuleId?.endsWith(`/pages/${module}`),
          );
          return chunk ? [[page, `/${chunk.fileName}`]] : [];
        });
        const attribute = JSON.stringify(Object.fromEntries(chunks)).replaceAll('"', "&quot;");
        return html.replace('src="/start.js"', `src="/start.js" data-chunks="${attribute}"`);
      },
    },
  };
}
