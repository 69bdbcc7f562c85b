// The verdict on the newest release of each app: the evidence in words and as a curve, with the reviews that decided.

import type { Verdict } from "../../../../src/dashboard-api/contract/overview.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Chip } from "../../components/chip.tsx";
import { Link, useIsShared } from "../../components/link.tsx";
import { formatDay } from "../../format/dates.ts";
import { appLabel } from "../../format/names.ts";
import { EvidenceCurve } from "./evidence-curve.tsx";
import { releasePath } from "./release-path.ts";
import styles from "./verdict.module.css";

type CardProps = { verdicts: readonly Verdict[]; withApps: boolean };

export function VerdictCard({ verdicts, withApps }: CardProps) {
  return (
    <div className={styles.card}>
      <Card
        title="Release verdict"
        hint="Whether the newest releases made people unhappy: at most 5% false alarms, however often you look"
      >
        {verdicts.length === 0 ? (
          <p className={styles.faint}>No review names a version yet.</p>
        ) : (
          <VerdictList verdicts={verdicts} withApps={withApps} withBacktest />
        )}
      </Card>
    </div>
  );
}

type ListProps = { verdicts: readonly Verdict[]; withApps?: boolean; withBacktest?: boolean };

export function VerdictList({ verdicts, withApps = false, withBacktest = false }: ListProps) {
  return (
    <ol className={styles.verdicts}>
      {verdicts.map((verdict) => (
        <li key={`${verdict.app.id} ${verdict.version}`} className={styles.verdict}>
          <VerdictWords verdict={verdict} withApp={withApps} withBacktest={withBacktest} />
          <EvidenceCurve verdict={verdict} />
        </li>
      ))}
    </ol>
  );
}

const results = {
  worse: { label: "Worse", tone: "bad" },
  fine: { label: "Fine", tone: "good" },
  undecided: { label: "Undecided", tone: "plain" },
} as const;

const linkedMax = 5;

function VerdictWords(props: { verdict: Verdict; withApp: boolean; withBacktest: boolean }) {
  const { verdict, withApp, withBacktest } = props;
  const { app, version, firstDay, result, words, decidedAt, reviewIds } = verdict;
  const { label, tone } = results[result];
  const isShared = useIsShared();
  return (
    <div className={styles.words}>
      <h3>
        <Chip tone={tone}>{label}</Chip>
        <Link href={releasePath({ appId: app.id, version })}>{version}</Link>
        <span className={styles.faint}>
          {withApp ? `${appLabel(app)}, ` : ""}since {formatDay(firstDay)}
          {decidedAt === null ? "" : `, decided on ${formatDay(decidedAt.slice(0, 10))}`}
        </span>
      </h3>
      <p>{words}</p>
      {reviewIds.length > 0 && !isShared ? (
        <p className={styles.faint}>
          Reviews that decided:{" "}
          {reviewIds.slice(-linkedMax).map((id, index) => (
            <Link key={id} href={`/reviews/${app.id}/${id}`} className={styles.number}>
              {index + 1}
            </Link>
          ))}
        </p>
      ) : null}
      {withBacktest ? (
        <div>
          <ButtonLink small kind="quiet" to={`/verdicts/${app.id}`}>
            Past verdicts
          </ButtonLink>
        </div>
      ) : null}
    </div>
  );
}
