// Verdicts on releases: the evidence in words and as a curve, with the reviews that decided.
import type { Verdict } from "../../../../src/dashboard-api/contract/overview.ts";
import { Link, useIsShared } from "../../components/link.tsx";
import { formatDay } from "../../format/dates.ts";
import { appLabel } from "../../format/names.ts";
import { EvidenceCurve } from "./evidence-curve.tsx";
import { OutcomeChip } from "./outcome-chip.tsx";
import { releasePath } from "./release-path.ts";
import styles from "./verdict.module.css";

export function VerdictList({ verdicts }: { verdicts: readonly Verdict[] }) {
  const hasSeveral = new Set(verdicts.map(({ app }) => app.id)).size > 1;
  return (
    <ol className={styles.verdicts}>
      {verdicts.map((verdict) => (
        <li key={`${verdict.app.id} ${verdict.version}`} className={styles.verdict}>
          <VerdictWords verdict={verdict} namesApp={hasSeveral} />
          <EvidenceCurve verdict={verdict} />
        </li>
      ))}
    </ol>
  );
}

const linkedMax = 5;

function VerdictWords({ verdict, namesApp }: { verdict: Verdict; namesApp: boolean }) {
  const { app, version, firstDay, words, decidedAt, reviewIds } = verdict;
  const isShared = useIsShared();
  return (
    <div className={styles.words}>
      <h3>
        <OutcomeChip verdict={verdict} />
        <Link href={releasePath({ appId: app.id, version })}>{version}</Link>
        <span className={styles.faint}>
          {namesApp ? `${appLabel(app)}, ` : ""}since {formatDay(firstDay)}
          {decidedAt === null ? "" : `, decided on ${formatDay(decidedAt.slice(0, 10))}`}
        </span>
      </h3>
      <p>{words}</p>
      {reviewIds.length > 0 && !isShared ? (
        <p className={styles.faint}>
          Evidence:{" "}
          {reviewIds.slice(-linkedMax).map((id, index) => (
            <Link key={id} href={`/reviews/${app.id}/${id}`} className={styles.number}>
              {index + 1}
            </Link>
          ))}
        </p>
      ) : null}
    </div>
  );
}
