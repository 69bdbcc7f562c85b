// Names the chunk of each page in index.html, so that start.js can load it beside the start of the application, before the
// router asks for it.
import type { Plugin } from "vite";

/** By the first part of a path within a workspace. */
const pages = ["compare", "sources", "keys", "settings"] as const;

export function namePageChunks(): Plugin {
  return {
    name: "page-chunks",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle = {} }) {
        const chunks = pages.flatMap((page) => {
          const chunk = Object.values(bundle).find(
            (one) => one.type === "chunk" && one.facadeModuleId?.endsWith(`/${page}/${page}.tsx`),
          );
          return chunk ? [[page, `/${chunk.fileName}`]] : [];
        });
        const attribute = JSON.stringify(Object.fromEntries(chunks)).replaceAll('"', "&quot;");
        return html.replace('src="/start.js"', `src="/start.js" data-chunks="${attribute}"`);
      },
    },
  };
}
