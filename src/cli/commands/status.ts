// starpost status: whether the service is healthy, for people and for monitoring by exit code.
import { paceOf } from "../../config/config.ts";
import { readStatus } from "../../use-cases/status/read-status.ts";
import { type Command, command } from "../command.ts";

export const commands: Command[] = [
  command({
    name: "status",
    isGate: true,
    async run(context) {
      const status = await readStatus({ ...context, pace: paceOf(context.config) });
      const isFailed = !status.isHealthy;
      if (context.isJson) return { value: status, isFailed };
      const health = isFailed ? "not healthy: see what failed" : "healthy";
      const tables = status.tables.map(({ name, bytes, rows, bytesPerDay }) => {
        const growth = bytesPerDay === null ? "" : `, ${megabytes(bytesPerDay)} a day`;
        // PostgreSQL counts the rows of a new table after a while.
        const count = rows === 0 ? "" : `  about ${rows} rows`;
        return `${name.padEnd(24)}  ${megabytes(bytes).padStart(12)}${count}${growth}`;
      });
      return {
        value: status.checks,
        columns: ["state", "check", "since", "detail"],
        lines: ["", ...tables, "", health],
        isFailed,
      };
    },
  }),
];

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
