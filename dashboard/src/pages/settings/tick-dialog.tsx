// Ticks for a topic: reviews that have it, one below the other, each right or wrong.
import { useState } from "react";
import type { OwnTopic, TopicSample } from "../../../../src/features/own-topics/contract.ts";
import { describeError } from "../../api/http-request.ts";
import { useApiMutation, useApiQuery } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { Dialog, DialogFooter } from "../../components/dialog.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { useToast } from "../../components/toast.tsx";
import { topicName } from "../../format/names.ts";
import styles from "./settings.module.css";
import { Sample, SampleArea, topicsRoute } from "./topic-dialog.tsx";

const ticksRoute = "GET /workspaces/:workspace/topics/:topic/ticks" as const;

export function TickDialog({ topic, onClose }: { topic: OwnTopic; onClose: () => void }) {
  const query = useApiQuery(ticksRoute, { path: { topic: topic.id } });
  const more = () => void query.refetch();
  return (
    <Dialog title={`Is this about ${topicName(topic.name)}?`} onClose={onClose}>
      <SampleArea>
        <QueryView query={query} height={280} loadingLabel="Loading reviews">
          {({ samples }) =>
            samples.length === 0 ? (
              <p>Every review with this topic has been ticked.</p>
            ) : (
              <ul className={styles.samples}>
                {samples.map((sample) => (
                  <Sample
                    key={sample.id}
                    sample={sample}
                    tools={<Ticks topic={topic} sample={sample} />}
                  />
                ))}
              </ul>
            )
          }
        </QueryView>
      </SampleArea>
      <DialogFooter>
        <Button onClick={more} busy={query.isRefetching}>
          Next reviews
        </Button>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

function Ticks({ topic, sample }: { topic: OwnTopic; sample: TopicSample }) {
  const [isRight, setRight] = useState<boolean | null>(null);
  const showToast = useToast();
  const tick = useApiMutation("POST /workspaces/:workspace/topics/:topic/tick", [topicsRoute]);
  const choose = (chosen: boolean) => {
    const body = { review: sample.id, isRight: chosen };
    tick.mutate(
      { path: { topic: topic.id }, body },
      { onSuccess: () => setRight(chosen), onError: (error) => showToast(describeError(error)) },
    );
  };
  return (
    <div className={styles.copyable}>
      <Button small aria-pressed={isRight === true} onClick={() => choose(true)}>
        {isRight === true ? "✓ Right" : "Right"}
      </Button>
      <Button small aria-pressed={isRight === false} onClick={() => choose(false)}>
        {isRight === false ? "✕ Wrong" : "Wrong"}
      </Button>
    </div>
  );
}
