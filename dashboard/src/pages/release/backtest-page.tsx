// Verdicts on the last releases of an app as they would have been, and after which review.
import { useParams } from "wouter";
import { useApiQuery } from "../../api/workspace.ts";
import { Card, Page } from "../../components/card.tsx";
import { Link } from "../../components/link.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { appLabel } from "../../format/names.ts";
import styles from "./verdict.module.css";
import { VerdictList } from "./verdict-card.tsx";

export function BacktestPage() {
  const { app = "" } = useParams<{ app: string }>();
  const query = useApiQuery("GET /workspaces/:workspace/apps/:app/verdicts", { path: { app } });
  const name = query.data && appLabel(query.data.app);
  const lead = (
    <>
      {name ? `${name} · ` : ""}
      <Link href={`/overview?app=${app}`}>back to its overview</Link>
    </>
  );
  return (
    <Page title="Past verdicts" lead={lead}>
      <QueryView query={query} height={640} loadingLabel="Judging past releases">
        {({ verdicts }) => (
          <Card
            title="Newest releases"
            hint="Evidence that reviews became worse (red) or did not (green); at the dashed line a verdict is reached"
          >
            {verdicts.length === 0 ? (
              <p className={styles.faint}>No review names a version yet.</p>
            ) : (
              <VerdictList verdicts={verdicts} />
            )}
          </Card>
        )}
      </QueryView>
    </Page>
  );
}
