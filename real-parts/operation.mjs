// Programs that Starpost runs beside.
import fs from "node:fs/promises";
import path from "node:path";
import { assert, openFolder, python, root, run, testWith } from "./tools.mjs";

async function writeDbtProject(folder, url) {
  const columns = [{ name: "id", data_tests: ["not_null", "unique"] }];
  const tables = [{ name: "reviews", columns }, { name: "ratings" }, { name: "trends" }];
  const connection = {
    ...{ type: "postgres", host: url.hostname, port: Number(url.port), user: url.username },
    ...{ password: url.password, dbname: url.pathname.slice(1), schema: "own", threads: 1 },
  };
  const documents = {
    "dbt_project.yml": { name: "starpost", profile: "starpost", "model-paths": ["models"] },
    "profiles.yml": { starpost: { target: "own", outputs: { own: connection } } },
    "models/sources.yml": { sources: [{ name: "starpost", schema: "starpost_v1", tables }] },
  };
  await fs.mkdir(path.join(folder, "models"));
  // JSON is YAML.
  for (const [name, document] of Object.entries(documents))
    await fs.writeFile(path.join(folder, name), JSON.stringify(document));
  await fs.writeFile(
    path.join(folder, "models/by_rating.sql"),
    "select rating, count(*) as reviews from {{ source('starpost', 'reviews') }} group by rating order by rating",
  );
}

export const parts = [
  {
    name: "PgBouncer in transaction mode",
    run: () =>
      testWith("pgbouncer", {
        hint: "Debian: pgbouncer",
        pattern: /PgBouncer ([\d.]+)/,
        file: "test/product/pooler.test.ts",
      }),
  },
  {
    name: "dbt over the SQL views: test and show run, run is refused",
    async run({ command, workspace }) {
      // A source package of its parser downloads from elsewhere than the registry.
      const wheels = ["--only-binary", ":all:"];
      const tools = await python("dbt", [...wheels, "dbt-core", "dbt-postgres"]);
      const folder = await openFolder("dbt");
      const made = await command(
        ...["sql-user", "create", "--workspace", workspace.id, "--name", "dbt"],
      );
      await writeDbtProject(folder, new URL(made.url));
      const dbt = (...args) =>
        tools.run("dbt", [...args, "--profiles-dir", ".", "--no-use-colors"], { cwd: folder });
      await dbt("test");
      const shown = await dbt("show", "--select", "by_rating", "--output", "json");
      assert(/"rating": 1,\s+"reviews": 8\b/.test(shown), shown);
      const refused = await dbt("run").catch((error) => error.message);
      assert(/read-only transaction|permission denied/.test(refused), refused);
      await command("sql-user", "remove", made.id, "--yes");
      return tools.version("dbt-core");
    },
  },
  {
    name: "the release gate against its service, other servers and other apps",
    async run(world) {
      const script = path.join(root, "examples/release-verdict/verdict.sh");
      const judge = async (more) => {
        const env = {
          ...process.env,
          ...{ STARPOST_URL: world.url, STARPOST_KEY: world.key, STARPOST_APP: world.app.id },
          ...{ STARPOST_VERSION: "4.2.1", ...more },
        };
        return run("bash", [script], { env }).then(
          () => 0,
          (error) => error.cause.code,
        );
      };
      const cases = [
        [{}, [0, 1, 2]],
        [{ STARPOST_URL: `${world.url}/api/v1` }, [0, 1, 2]],
        [{ STARPOST_VERSION: "9.9.9" }, [3]],
        [{ STARPOST_APP: "00000000-0000-4000-8000-000000000000" }, [3]],
        [{ STARPOST_KEY: "sp_wrong" }, [3]],
        [{ STARPOST_URL: `${world.url}/docs` }, [3]],
        [{ STARPOST_URL: "http://127.0.0.1:1" }, [3]],
      ];
      for (const [more, codes] of cases) {
        const code = await judge(more);
        assert(codes.includes(code), `${JSON.stringify(more)} ends with ${code}`);
      }
    },
  },
];
