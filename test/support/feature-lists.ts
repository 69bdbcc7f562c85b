// Where features are named.
/** The files of the core that name features, a line for each. Without its lines and its folder a feature is gone. */
export const featureLists: readonly string[] = [
  "src/app/features.ts",
  "src/app/dashboard-routes.ts",
  "src/cli/feature-commands.ts",
];
