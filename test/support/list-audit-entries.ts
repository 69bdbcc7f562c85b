// Lists the entries of the audit log about one subject, oldest first.
import type { Database } from "../../src/database/database.ts";

const entriesMax = 1_000;

export async function listAuditEntries(
  database: Pick<Database, "listRecentAuditEntries">,
  subject: string,
): ReturnType<Database["listRecentAuditEntries"]> {
  const entries = await database.listRecentAuditEntries({ workspaceId: null, limit: entriesMax });
  return entries.filter((entry) => entry.subject === subject).reverse();
}
