// Learned shapes: where a store's pages have their fields after the store moved them, found by comparison with what is stored.
import type { Feature } from "../feature.ts";

export const learnedShapes: Feature = {
  name: "learned-shapes",
  loadHealer: async () => (await import("./heal-shapes.ts")).openHealer,
};
