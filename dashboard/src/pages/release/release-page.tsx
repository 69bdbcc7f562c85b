// The page of one release of one app, with a choice of its other releases.
import { useLocation, useParams, useSearchParams } from "wouter";
import { releaseNeighbours } from "../../../../src/domain/changes/release-periods.ts";
import { useApiQuery } from "../../api/workspace.ts";
import { Page } from "../../components/card.tsx";
import { Alert } from "../../components/feedback.tsx";
import { Link } from "../../components/link.tsx";
import { PickerButton } from "../../components/picker.tsx";
import { QueryPage } from "../../components/query-view.tsx";
import { formatDay } from "../../format/dates.ts";
import { storeName } from "../../format/stores.ts";
import styles from "./release.module.css";
import { Release } from "./release.tsx";
import { releasePath } from "./release-path.ts";

export function ReleasePage() {
  const { app: appId = "" } = useParams<{ app: string }>();
  const [search] = useSearchParams();
  const query = useApiQuery("GET /workspaces/:workspace/apps/:app/releases", {
    path: { app: appId },
  });
  const [, navigate] = useLocation();
  if (!query.data) {
    return (
      <QueryPage query={query} title="Release" height={640} loadingLabel="Loading the release" />
    );
  }
  const { app, releases } = query.data;
  const version = search.get("version") ?? releases[0]?.version ?? "";
  const release = releases.find((one) => one.version === version);
  const options = releases.map((one) => ({
    value: one.version,
    label: `${one.version} · ${formatDay(one.day)}`,
  }));
  const tools = (
    <div className={styles.picker}>
      <PickerButton
        label="Version"
        noun="versions"
        isField
        button={options.find(({ value }) => value === version)?.label ?? "Version"}
        options={options}
        selected={[version]}
        onSelect={([chosen = version]) => navigate(releasePath({ appId, version: chosen }))}
      />
    </div>
  );
  const lead = (
    <>
      {app.name}, {storeName(app.store)} ·{" "}
      <Link href={`/overview?app=${appId}`}>back to its overview</Link>
    </>
  );
  return (
    <Page title={`Version ${version}`} lead={lead} tools={tools}>
      {release ? (
        <Release
          key={version}
          appId={appId}
          release={release}
          {...releaseNeighbours(releases, release)}
        />
      ) : (
        <Alert>No review of this app names version {version}.</Alert>
      )}
    </Page>
  );
}
