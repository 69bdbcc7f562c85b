// Counts what is new since the user's last visit, in whichever browser it was. The link names the moment, so it keeps
// working.
import type { Incident } from "../../../../src/dashboard-api/contract/overview.ts";
import { useApiQuery } from "../../api/workspace.ts";
import { Link } from "../../components/link.tsx";
import { formatMoment } from "../../format/dates.ts";
import { formatCount, formatQuantity } from "../../format/numbers.ts";
import { reviewsPath } from "../reviews/filters.ts";

type SinceVisitProps = { app: string | undefined; incidents: readonly Incident[] };

export function SinceVisit({ app, incidents }: SinceVisitProps) {
  const visit = useApiQuery("POST /workspaces/:workspace/visits", {});
  const previousAt = visit.data?.previousAt ?? null;
  const filters = {
    ...(app ? { app } : {}),
    ...(previousAt === null ? {} : { newSince: previousAt }),
  };
  const { data } = useApiQuery(
    "GET /workspaces/:workspace/reviews/summary",
    { query: filters },
    { isDisabled: previousAt === null },
  );
  if (previousAt === null || !data) return null;
  const negative = data.facets.sentiment.find(({ value }) => value === "negative")?.count ?? 0;
  const complaints = incidents.filter(
    ({ state, range }) => state === "open" && range.from >= previousAt.slice(0, 10),
  ).length;
  return (
    <span data-print="hidden">
      {" · "}Since you were here on {formatMoment(previousAt)}:{" "}
      <Link href={reviewsPath(filters)}>{formatQuantity(data.total, "new review")}</Link>
      {negative > 0 ? (
        <>
          ,{" "}
          <Link href={reviewsPath({ ...filters, sentiment: "negative" })}>
            {formatCount(negative)} negative
          </Link>
        </>
      ) : null}
      {complaints > 0 ? `, ${formatQuantity(complaints, "new complaint")}` : ""}
    </span>
  );
}
