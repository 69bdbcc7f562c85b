// The page of a report in a file: the Overview, the verdicts, the newest release, quotes by topic, and how it was made.
import { useEffect } from "react";
import type { Report } from "../../../../src/features/report/contract.ts";
import { Button } from "../../components/button.tsx";
import { CardGroup } from "../../components/card.tsx";
import { Alert } from "../../components/feedback.tsx";
import { Time } from "../../components/time.tsx";
import { formatDay } from "../../format/dates.ts";
import { appLabel, topicName } from "../../format/names.ts";
import { storeName } from "../../format/stores.ts";
import { printReport } from "../overview/report-menu.tsx";
import { Quotes, Release } from "../release/release.tsx";
import { VerdictList } from "../release/verdict-card.tsx";
import { Content } from "../sharing/shared-content.tsx";
import sharing from "../sharing/sharing.module.css";
import styles from "./report.module.css";
import { HowMade, NotRead } from "./report-facts.tsx";
import { openPart, ReportPart } from "./report-part.tsx";

export function ReportPage({ report }: { report: Report }) {
  const { title, notes, overview, comparison, releases, verdicts, apps } = report;
  const { range } = overview.overview;
  const isOneProduct = apps.every(({ name }) => name === title);
  const about = apps.map((app) => (isOneProduct ? storeName(app.store) : appLabel(app))).join(", ");
  useEffect(() => {
    document.title = `${title} · Starpost`;
  }, [title]);
  return (
    <main className={sharing.page}>
      <header className={sharing.head}>
        <div>
          <h1>{title}</h1>
          <p>{`${about} · ${formatDay(range.from)} to ${formatDay(range.to)}`}</p>
          <p className={sharing.origin}>
            Made with Starpost on <Time at={report.madeAt} />
          </p>
        </div>
        <Button onClick={printReport}>Print, or save as PDF</Button>
      </header>
      <Contents report={report} />
      {notes.map((note) => (
        <Alert key={note}>{note}</Alert>
      ))}
      <Content content={overview} workspaceName={null} />
      {verdicts.length > 0 ? (
        <ReportPart
          id="releases"
          title="Releases"
          hint="Evidence that reviews became worse (red) or did not (green), against the app's own past. Above the dashed line is a verdict, wrong in at most 1 of 20 releases"
        >
          <VerdictList verdicts={verdicts} />
        </ReportPart>
      ) : null}
      {releases.map(({ appId, release, next, previous }) => (
        <ReportPart
          key={appId}
          id={appId}
          title={`Version ${release.version}`}
          note={apps
            .filter(({ id }) => id === appId)
            .map(appLabel)
            .join()}
          isGroup
        >
          <CardGroup value={`${appId}-title`}>
            <Release
              appId={appId}
              release={release}
              next={next ?? undefined}
              previous={previous ?? undefined}
            />
          </CardGroup>
        </ReportPart>
      ))}
      <Topics report={report} />
      {comparison ? (
        <ReportPart id="comparison" title="Comparison" isGroup>
          <Content content={comparison} workspaceName={null} />
        </ReportPart>
      ) : null}
      <NotRead report={report} />
      <HowMade report={report} />
    </main>
  );
}

/** On a phone the report has many screens. */
function Contents({
  report: { verdicts, releases, topics, comparison, apps },
}: {
  report: Report;
}) {
  const parts = [
    ...(verdicts.length > 0 ? [{ id: "releases", label: "Releases" }] : []),
    ...releases.map(({ appId, release }) => ({
      id: appId,
      label: `${release.version}, ${storeName(apps.find(({ id }) => id === appId)?.store ?? "")}`,
    })),
    ...(topics.length > 0 ? [{ id: "topics", label: "Topics" }] : []),
    ...(comparison ? [{ id: "comparison", label: "Comparison" }] : []),
  ];
  return (
    <nav aria-label="Contents" className={styles.contents} data-print="hidden">
      {parts.map(({ id, label }) => (
        <a key={id} href={`#${id}`} onClick={() => openPart(id)}>
          {label}
        </a>
      ))}
    </nav>
  );
}

function Topics({ report: { topics, overview } }: { report: Report }) {
  const { range } = overview.overview;
  if (topics.length === 0) return null;
  return (
    <ReportPart
      id="topics"
      title="Topics in their words"
      hint="The newest reviews on each topic, unhappy ones first"
    >
      <div className={styles.topics}>
        {topics.map((topic) => (
          <div key={topic}>
            <h3>{topicName(topic)}</h3>
            {(["negative", "positive"] as const).map((sentiment) => (
              <Quotes key={sentiment} filters={{ topic, sentiment, ...range }} />
            ))}
          </div>
        ))}
      </div>
    </ReportPart>
  );
}
