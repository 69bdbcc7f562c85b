// The gaps of a report, how it was made, and the commands that keep it up to date.
import type { Report, ReportFeed } from "../../../../src/features/report/contract.ts";
import { Card } from "../../components/card.tsx";
import codeStyles from "../../components/code-line.module.css";
import { Table } from "../../components/table.tsx";
import { appLabel, originName } from "../../format/names.ts";
import { formatCount, formatQuantity } from "../../format/numbers.ts";
import styles from "./report.module.css";

export function NotRead({ report: { feeds, apps } }: { report: Report }) {
  const gaps = feeds.filter(({ gap, outcome }) => gap !== null || outcome === null);
  if (feeds.length === 0) return null;
  const appOf = ({ appId }: ReportFeed) => apps.find(({ id }) => id === appId);
  return (
    <Card
      title="Not read"
      hint={`${formatCount(feeds.length - gaps.length)} of ${formatQuantity(feeds.length, "list")} of the stores were read to the end of what they show`}
    >
      {gaps.length === 0 ? (
        <p>Nothing is missing.</p>
      ) : (
        <Table
          caption="Lists of the stores that were not read, or not to their end"
          rows={gaps}
          rowKey={({ appId, kind, region }) => `${appId} ${kind} ${region}`}
          stacked
          columns={[
            {
              header: "App",
              cell: (feed) => {
                const app = appOf(feed);
                return app ? appLabel(app) : "";
              },
            },
            { header: "List", cell: ({ kind }) => (kind === "reviews" ? "Reviews" : "Ratings") },
            {
              header: "Country or language",
              cell: (feed) => originName(appOf(feed)?.store ?? "", feed.region),
            },
            { header: "Reason", cell: ({ gap }) => gap ?? "The report was made before its turn." },
          ]}
        />
      )}
    </Card>
  );
}

export function HowMade({ report: { feeds, apps, version, commands } }: { report: Report }) {
  const sources = feeds.length > 0 ? "from the public pages of the stores" : "from a file";
  return (
    <Card title="How this was made">
      <div className={styles.facts}>
        <p>
          Starpost {version} read {formatQuantity(apps.length, "app")} {sources} on one computer.
          Language, sentiment and topics were found there, without any other service. All days are
          in UTC. Most users only leave stars: they count in the store ratings, not in the reviews.
        </p>
        <p>These commands keep the figures up to date, with alerts, an API and this dashboard:</p>
        <div className={codeStyles.line}>
          <pre className={codeStyles.code}>{commands.join("\n")}</pre>
        </div>
      </div>
    </Card>
  );
}
