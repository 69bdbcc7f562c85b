// Fine-tuning of the sentiment on the stored reviews: what it did for each language, and its switches.
import type { FineTunedLanguage } from "../../../../src/dashboard-api/contract/fine-tuning.ts";
import { describeError } from "../../api/http-request.ts";
import { useApiMutation, useApiQuery } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Chip } from "../../components/chip.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { Table, type TableColumn } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useToast } from "../../components/toast.tsx";
import { languageName } from "../../format/names.ts";
import { formatCount } from "../../format/numbers.ts";
import styles from "./settings.module.css";

const fineTuningRoute = "GET /workspaces/:workspace/fine-tuning" as const;
const runningMs = 5_000;

export function FineTuningCard() {
  const query = useApiQuery(
    fineTuningRoute,
    {},
    {
      // Until every language that is due has been trained.
      refetchEveryMs: (data) =>
        data?.isOn && data.languages.some(({ triedAt, isEnabled }) => !triedAt && isEnabled)
          ? runningMs
          : false,
    },
  );
  const { isOn = true, canChange = false } = query.data ?? {};
  return (
    <Card
      title="Fine-tuning"
      hint="Sentiment learns from the stars of the stored reviews. New weights are used only where they are better on reviews held out from training."
      tools={canChange ? <Switches isOn={isOn} /> : null}
    >
      <QueryView query={query} height={240} loadingLabel="Loading fine-tuning">
        {({ languages }) => (
          <>
            {isOn ? null : <p>It is off: the built-in weights are used for all languages.</p>}
            {languages.length === 0 ? (
              <p className={styles.soft}>
                Nothing yet. It begins with 200 reviews of a language, some minutes after they come.
              </p>
            ) : (
              <Table
                caption="Languages"
                rows={languages}
                rowKey={({ language }) => language}
                columns={canChange ? [...columns, switchColumn] : columns}
                stacked
              />
            )}
            {canChange ? null : (
              <p className={styles.soft}>
                The operator turns it on and off, with <code>starpost adaptation</code>.
              </p>
            )}
          </>
        )}
      </QueryView>
    </Card>
  );
}

const columns: TableColumn<FineTunedLanguage>[] = [
  { header: "Language", cell: ({ language }) => <strong>{languageName(language)}</strong> },
  { header: "State", cell: (one) => <State language={one} /> },
  {
    header: "Reviews",
    cell: ({ reviewCount }) => formatCount(reviewCount),
    alignEnd: true,
  },
  {
    header: "Accuracy, built-in",
    cell: ({ shippedAccuracy }) => percent(shippedAccuracy),
    alignEnd: true,
  },
  { header: "Accuracy, tuned", cell: ({ accuracy }) => percent(accuracy), alignEnd: true },
];

const switchColumn: TableColumn<FineTunedLanguage> = {
  header: "Change",
  hideHeader: true,
  alignEnd: true,
  cell: ({ language, isEnabled }) => <Turn language={language} isEnabled={isEnabled} />,
};

function percent(figure: number | null): string {
  return figure === null ? "–" : `${figure.toFixed(1)}%`;
}

function State({ language }: { language: FineTunedLanguage }) {
  const { isEnabled, isInUse, missingCount, outcome, triedAt } = language;
  if (!isEnabled) return "Off";
  if (!triedAt) return "Training is due";
  if (missingCount > 0) return `${formatCount(missingCount)} more reviews needed`;
  return (
    <div>
      {isInUse ? <Chip tone="good">In use</Chip> : "Built-in weights"}
      <div className={styles.soft}>
        <Time at={triedAt} relative />: {outcome}
      </div>
    </div>
  );
}

function Switches({ isOn }: { isOn: boolean }) {
  const showToast = useToast();
  const run = useApiMutation("POST /workspaces/:workspace/fine-tuning/run", [fineTuningRoute]);
  const start = () =>
    run.mutate(
      {},
      {
        onSuccess: () => showToast("Training has started"),
        onError: (error) => showToast(describeError(error)),
      },
    );
  return (
    <div className={styles.copyable}>
      {isOn ? (
        <Button busy={run.isPending} onClick={start}>
          Train now
        </Button>
      ) : null}
      <Turn language={null} isEnabled={isOn} />
    </div>
  );
}

/** @param props.language null for all of them */
function Turn({ language, isEnabled }: { language: string | null; isEnabled: boolean }) {
  const showToast = useToast();
  const turn = useApiMutation("PATCH /workspaces/:workspace/fine-tuning", [fineTuningRoute]);
  const name = language === null ? "all languages" : languageName(language);
  return (
    <Button
      busy={turn.isPending}
      aria-label={`Turn ${isEnabled ? "off" : "on"} for ${name}`}
      onClick={() =>
        turn.mutate(
          { body: { language, isEnabled: !isEnabled } },
          { onError: (error) => showToast(describeError(error)) },
        )
      }
    >
      {isEnabled ? "Turn off" : "Turn on"}
    </Button>
  );
}
