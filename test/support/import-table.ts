// The imports that are allowed: between modules of src, and of packages.

// Besides itself, domain and lib, which every module may import. ARCHITECTURE.md has the
// same table. "*" is everything.
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  "main.ts": ["app", "config"],
  "cli.ts": ["*"],
  cli: [
    "analysis",
    "app",
    "config",
    "crawling",
    "database",
    "features",
    "ingest",
    "matching",
    "operations",
    "use-cases",
  ],
  app: ["*"],
  config: [],
  domain: [],
  stores: [],
  crawling: ["stores", "ingest", "database"],
  ingest: ["analysis", "matching", "database"],
  analysis: [],
  features: [
    "analysis",
    "api",
    "app",
    "cli",
    "config",
    "crawling",
    "dashboard-api",
    "database",
    "delivery",
    "http",
    "ingest",
    "matching",
    "operations",
    "read",
    "stores",
    "use-cases",
  ],
  matching: [],
  delivery: ["database"],
  operations: ["use-cases", "database"],
  "use-cases": ["analysis", "crawling", "ingest", "database"],
  read: ["use-cases", "database"],
  api: ["operations", "use-cases", "http", "database"],
  "dashboard-api": ["operations", "read", "use-cases", "http", "database"],
  http: [],
  database: [],
  lib: [],
};

/** Modules whose folders still import each other; to be emptied, never extended. */
export const modulesWithFolderCircles: readonly string[] = ["stores"];

export const mayImportSimulator = ["app", "cli", "cli.ts", "features"];
export const mayImportSdk = ["cli", "features"];

// Packages that only some modules may use; the rest is open to every module.
export const packageHomes: Readonly<Record<string, readonly string[]>> = {
  // lib/ has the reconnecting connection, which both other modules use.
  pg: ["database", "features", "lib"],
  "pg-copy-streams": ["database", "features"],
  "sql-template-tag": ["database", "features"],
  hono: ["api", "dashboard-api", "features", "http", "app"],
  "@hono/node-server": ["app", "http"],
  undici: ["lib", "delivery"],
  "openid-client": ["features"],
  "prom-client": ["app"],
  commander: ["cli", "cli.ts"],
  "@modelcontextprotocol/server": ["features"],
};
