// Counts what is new since this person's last visit on an earlier day, by the browser's own memory: the service keeps no trace
// of who looked when. The link names the day, so it keeps working.
import { useState } from "react";
import type { Incident } from "../../../../src/dashboard-api/contract/overview.ts";
import { useApiQuery, useWorkspace } from "../../api/workspace.ts";
import { Link } from "../../components/link.tsx";
import { todayUtc } from "../../format/clock.ts";
import { formatDay } from "../../format/dates.ts";
import { formatCount, formatQuantity } from "../../format/numbers.ts";
import { reviewsPath } from "../reviews/filters.ts";

type SinceVisitProps = { app: string | undefined; incidents: readonly Incident[] };

export function SinceVisit({ app, incidents }: SinceVisitProps) {
  const { workspace } = useWorkspace();
  const [from] = useState(() => noteVisit(workspace.id));
  const filters = { ...(app ? { app } : {}), ...(from ? { from } : {}) };
  const { data } = useApiQuery(
    "GET /workspaces/:workspace/reviews/summary",
    { query: filters },
    { isDisabled: from === null },
  );
  if (from === null || !data) return null;
  const negative = data.facets.sentiment.find(({ value }) => value === "negative")?.count ?? 0;
  const complaints = incidents.filter(
    ({ state, range }) => state === "open" && range.from >= from,
  ).length;
  return (
    <span data-print="hidden">
      {" · "}Since you were here on {formatDay(from)}:{" "}
      <Link href={reviewsPath(filters)}>{formatQuantity(data.total, "review")}</Link>,{" "}
      <Link href={reviewsPath({ ...filters, sentiment: "negative" })}>
        {formatCount(negative)} negative
      </Link>
      {complaints > 0 ? `, ${formatQuantity(complaints, "new complaint")}` : ""}
    </span>
  );
}

/** The day of the visit before today's; null on the first one, or without storage. */
function noteVisit(workspaceId: string): string | null {
  const key = `starpost-visits-${workspaceId}`;
  const today = todayUtc();
  try {
    const [before, last] = (localStorage.getItem(key) ?? "").split(" ");
    const previous = last === today ? before : last;
    localStorage.setItem(key, `${previous ?? ""} ${today}`);
    return previous || null;
  } catch {
    return null;
  }
}
