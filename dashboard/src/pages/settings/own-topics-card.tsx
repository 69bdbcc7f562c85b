// The topics that the workspace defines itself: what they find, and how far the stored reviews were read.
import { useState } from "react";
import type { OwnTopic } from "../../../../src/features/own-topics/contract.ts";
import { useApiMutation, useApiQuery, useWorkspace } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { ConfirmButton } from "../../components/confirm-button.tsx";
import { Link } from "../../components/link.tsx";
import { ProgressBar } from "../../components/progress-bar.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { Table, type TableColumn } from "../../components/table.tsx";
import { formatMoment } from "../../format/dates.ts";
import { topicName } from "../../format/names.ts";
import { formatCount } from "../../format/numbers.ts";
import { reviewsPath } from "../reviews/filters.ts";
import styles from "./settings.module.css";
import { TickDialog } from "./tick-dialog.tsx";
import { TopicDialog, topicsRoute } from "./topic-dialog.tsx";

const readingMs = 2_000;

export function OwnTopicsCard() {
  const { isViewer } = useWorkspace();
  const [edited, setEdited] = useState<OwnTopic | "new" | null>(null);
  const [ticked, setTicked] = useState<OwnTopic | null>(null);
  const query = useApiQuery(
    topicsRoute,
    {},
    {
      // While stored reviews are being read, their count goes up.
      refetchEveryMs: (data) =>
        data?.topics.every(({ isFinished }) => isFinished) ? false : readingMs,
    },
  );
  return (
    <Card
      title="Your topics"
      hint="Matched by your phrases. They work in this workspace only; channels, filters and the API treat them like the others."
      tools={isViewer ? null : <Button onClick={() => setEdited("new")}>Add a topic</Button>}
    >
      <QueryView query={query} height={120} loadingLabel="Loading your topics">
        {({ topics }) =>
          topics.length === 0 ? (
            <p className={styles.soft}>
              None yet. Add one for what matters to you: a feature, a competitor, a device.
            </p>
          ) : (
            <Table
              caption="Your topics"
              rows={topics}
              rowKey={({ id }) => id}
              columns={
                isViewer
                  ? factColumns
                  : [...factColumns, changeColumn({ onEdit: setEdited, onTick: setTicked })]
              }
              stacked
            />
          )
        }
      </QueryView>
      {ticked ? <TickDialog topic={ticked} onClose={() => setTicked(null)} /> : null}
      {edited ? (
        <TopicDialog topic={edited === "new" ? null : edited} onClose={() => setEdited(null)} />
      ) : null}
    </Card>
  );
}

type Actions = { onEdit: (topic: OwnTopic) => void; onTick: (topic: OwnTopic) => void };

const factColumns: TableColumn<OwnTopic>[] = [
  {
    header: "Topic",
    cell: ({ name, phrases }) => (
      <div>
        <Link href={reviewsPath({ topic: name })}>{topicName(name)}</Link>
        <div className={styles.soft}>{phrases.join(", ")}</div>
      </div>
    ),
  },
  { header: "Learned", cell: describeTraining },
  { header: "Name in the API", cell: ({ name }) => <code>{name}</code> },
  {
    header: "Reviews",
    cell: (topic) => <Found topic={topic} />,
    alignEnd: true,
  },
];

function changeColumn({ onEdit, onTick }: Actions): TableColumn<OwnTopic> {
  return {
    header: "Change",
    hideHeader: true,
    alignEnd: true,
    cell: (topic) => (
      <div className={styles.copyable}>
        <Button
          onClick={() => onTick(topic)}
          aria-label={`Review matches of ${topicName(topic.name)}`}
        >
          Review matches
        </Button>
        <Button onClick={() => onEdit(topic)} aria-label={`Edit ${topicName(topic.name)}`}>
          Edit
        </Button>
        <RemoveTopic topic={topic} />
      </div>
    ),
  };
}

const ticksMin = { all: 20, each: 5 };

function describeTraining({ rightCount, wrongCount, training }: OwnTopic): string {
  const count = rightCount + wrongCount;
  if (count === 0) return "Nothing ticked yet";
  const { figures, isInUse, rowCount } = training ?? { figures: null, isInUse: false, rowCount: 0 };
  if (!figures) {
    return `${count} ticked: needs ${ticksMin.all}, ${ticksMin.each} of them right and ${ticksMin.each} wrong`;
  }
  const share = (right: number) => `${Math.round((right / rowCount) * 100)}%`;
  const alone = `${count} ticked: phrases alone ${share(figures.phrases)} right`;
  const { removedWrong, removedRight } = figures;
  return isInUse
    ? `${alone}, now ${share(figures.classifier)} of reviews not seen before: ${removedWrong} wrong and ${removedRight} right ones go`
    : `${alone}, learning is no better (${share(figures.classifier)})`;
}

function Found({ topic }: { topic: OwnTopic }) {
  const { matchCount, readCount, totalCount, isFinished, restsUntil } = topic;
  if (restsUntil !== null) {
    return `Paused until ${formatMoment(restsUntil)}: finding its phrases takes too much work. Use fewer or longer ones.`;
  }
  if (isFinished) return formatCount(matchCount);
  const read = `${formatCount(readCount)} of ${formatCount(totalCount)} reviews read`;
  // As high as the name and phrases beside it, so that nothing moves when the last review has been read.
  return (
    <ProgressBar
      label={`${formatCount(matchCount)} so far, ${read}`}
      done={readCount}
      total={totalCount}
    />
  );
}

function RemoveTopic({ topic }: { topic: OwnTopic }) {
  const remove = useApiMutation("DELETE /workspaces/:workspace/topics/:topic", [topicsRoute]);
  return (
    <ConfirmButton
      label="Delete"
      title={`Delete ${topicName(topic.name)}?`}
      confirmLabel="Delete the topic"
      onConfirm={() => remove.mutateAsync({ path: { topic: topic.id } })}
    >
      Reviews lose it at once. Saved views that filter by it become empty.
    </ConfirmButton>
  );
}
