// The overview: store ratings, and the number, stars, sentiment and topics of the reviews in a date range.
// Every number links to its reviews.
import type { ComponentProps } from "react";
import { useSearchParams } from "wouter";
import type { ImportingApp } from "../../../../src/dashboard-api/contract/alerts.ts";
import { useApiQuery, useWorkspace } from "../../api/workspace.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Page } from "../../components/card.tsx";
import { EmptyState, ErrorAlert, Skeleton } from "../../components/feedback.tsx";
import { useFirstScreen } from "../../components/first-screen.ts";
import { Link } from "../../components/link.tsx";
import { PickerButton, type PickerOption } from "../../components/picker.tsx";
import { appLabel } from "../../format/names.ts";
import { SourceState } from "../../shell/source-state.tsx";
import { useWorkspaceAlerts } from "../../shell/workspace-alerts.ts";
import { AnswersCard } from "./answers-card.tsx";
import { CompareMenu } from "./compare-menu.tsx";
import {
  type DateRange,
  readDateRange,
  sharedQuery,
  toDaysQuery,
  writeDateRange,
} from "./date-range.ts";
import { DateRangePicker } from "./date-range-picker.tsx";
import { FirstImport } from "./first-import.tsx";
import { hasNothing, NoReviewsYet } from "./no-reviews-yet.tsx";
import styles from "./overview.module.css";
import { OverviewCards, toMarks } from "./overview-cards.tsx";
import { ReportHead, ShareMenu } from "./report-menu.tsx";
import { SinceVisit } from "./since-visit.tsx";

export function Overview() {
  const { workspace } = useWorkspace();
  const [search, setSearch] = useSearchParams();
  const range = readDateRange(search);
  const { app, chooseApp } = useChosenApp();
  const apps = useApiQuery("GET /workspaces/:workspace/app-names", {});
  const query = { ...(app ? { app } : {}), ...toDaysQuery(range) };
  const overview = useApiQuery(
    "GET /workspaces/:workspace/overview",
    { query },
    { keepPrevious: true },
  );
  const chooseRange = (chosen: DateRange) => setSearch((before) => writeDateRange(before, chosen));
  const options = (apps.data?.apps ?? [])
    .map((one) => ({ value: one.id, label: appLabel(one) }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
  const icons = new Map(apps.data?.apps.map(({ id, iconPath }) => [id, iconPath]));
  const shared = sharedQuery(range, app);
  const tools = (
    <>
      <AppPicker options={options} app={app} onChoose={chooseApp} />
      <DateRangePicker
        range={range}
        releases={overview.data ? toMarks(overview.data) : []}
        onChange={chooseRange}
      />
      {overview.data ? (
        <CompareMenu overview={overview.data} app={app} names={apps.data?.apps ?? []} />
      ) : null}
      {overview.data ? <ShareMenu overview={overview.data} query={shared} /> : null}
    </>
  );
  const alerts = useWorkspaceAlerts();
  const shownIds = app ? [app] : options.map(({ value }) => value);
  const importing = listFirstImports(alerts.data?.importing ?? [], shownIds);
  if (apps.data?.apps.length === 0) return <NoApps />;
  return (
    <Page title="Overview" tools={tools}>
      {overview.isError ? (
        <ErrorAlert error={overview.error} onRetry={() => void overview.refetch()} />
      ) : null}
      {overview.data && !alerts.isPending ? (
        <div className={styles.grid} aria-busy={overview.isPlaceholderData}>
          <ReportHead overview={overview.data} workspaceName={workspace.name} />
          <SourceState shown={[{ app }]} />
          {importing.length > 0 ? (
            <FirstImport importing={importing} app={app} names={apps.data?.apps ?? []} />
          ) : hasNothing(overview.data) ? (
            <NoReviewsYet
              apps={(apps.data?.apps ?? []).filter(({ id }) => shownIds.includes(id))}
            />
          ) : (
            <Cards
              overview={overview.data}
              app={app}
              icons={icons}
              sinceVisit={<SinceVisit app={app} incidents={overview.data.incidents} />}
            />
          )}
          <AnswersCard answers={overview.data.answers} />
        </div>
      ) : overview.isPending || alerts.isPending ? (
        <OverviewSkeleton />
      ) : null}
    </Page>
  );
}

type AppPickerProps = {
  options: readonly PickerOption[];
  app: string | undefined;
  onChoose: (id: string) => void;
};

function AppPicker({ options, app, onChoose }: AppPickerProps) {
  if (options.length < 2) return null;
  return (
    <div className={styles.appPicker}>
      <PickerButton
        label="App"
        noun="apps"
        isField
        button={options.find(({ value }) => value === app)?.label ?? "All apps"}
        options={[{ value: "", label: "All apps" }, ...options]}
        selected={[app ?? ""]}
        onSelect={([id = ""]) => onChoose(id)}
      />
    </div>
  );
}

/** On a shared page other content follows the cards, which would move. */
function Cards(props: ComponentProps<typeof OverviewCards>) {
  return <OverviewCards {...props} isFirstScreen={useFirstScreen()} />;
}

/** Empty as soon as one of the shown apps has its figures. */
function listFirstImports(importing: readonly ImportingApp[], shownIds: readonly string[]) {
  const shown = importing.filter(({ appId }) => shownIds.includes(appId));
  return shown.length === shownIds.length ? shown : [];
}

function useChosenApp() {
  const [search, setSearch] = useSearchParams();
  const chooseApp = (id: string) =>
    setSearch((before) => {
      const next = new URLSearchParams(before);
      if (id) next.set("app", id);
      else next.delete("app");
      return next;
    });
  return { app: search.get("app") ?? undefined, chooseApp };
}

function NoApps() {
  const { isViewer } = useWorkspace();
  return (
    <Page title="Overview">
      <EmptyState
        title="Follow your first app"
        actions={
          isViewer ? null : (
            <ButtonLink to="/sources?add=app" kind="primary">
              Add an app
            </ButtonLink>
          )
        }
      >
        Starpost collects its reviews and ratings from the store, and this page shows how they
        change.
      </EmptyState>
      <ol className={styles.firstSteps}>
        <li>
          <strong>Follow an app.</strong> The first reviews are here within a minute, older ones a
          little later.
        </li>
        <li>
          <strong>Send new reviews where you work:</strong> to Slack, Teams, e-mail or your own
          endpoint. <Link href="/sources/channels/new">Add a channel</Link>
        </li>
        <li>
          <strong>Read them by a program.</strong> <Link href="/keys">Create an API key</Link>
        </li>
      </ol>
    </Page>
  );
}

// As high as the content, so that nothing moves when it arrives.
function OverviewSkeleton() {
  return (
    <div className={styles.grid}>
      <div className={styles.full}>
        <Skeleton height={236} />
      </div>
      <div className={styles.tiles}>
        {[1, 2, 3, 4].map((tile) => (
          <Skeleton
            key={tile}
            height={116}
            {...(tile === 1 ? { label: "Loading the overview" } : {})}
          />
        ))}
      </div>
      <div className={styles.wide}>
        <Skeleton height={340} />
      </div>
      <Skeleton height={340} />
      <div className={styles.wide}>
        <Skeleton height={340} />
      </div>
      <Skeleton height={340} />
    </div>
  );
}
