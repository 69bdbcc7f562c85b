// How long answers to reviews took, and what the stars did after them, beside those of reviews without an answer.
import type { OverviewAnswer } from "../../../../src/dashboard-api/contract/overview.ts";
import { Card } from "../../components/card.tsx";
import { formatCount, formatQuantity } from "../../format/numbers.ts";
import styles from "./answers-card.module.css";

export function AnswersCard({ answers }: { answers: OverviewAnswer["answers"] }) {
  if (!answers || answers.count === 0) return null;
  const { count, gained, lost, medianSeconds, unanswered } = answers;
  return (
    <div className={styles.row}>
      <Card title="Answers" hint="Reviews that were first answered in these days through Starpost">
        <div className={styles.sentences}>
          {medianSeconds === null ? null : (
            <p>
              {`Half of ${formatQuantity(count, "review")} had an answer within ${describeTime(medianSeconds)}.`}
            </p>
          )}
          <p>
            {`${formatCount(gained)} of ${formatCount(count)} gained stars after the answer, and ${formatCount(lost)} lost some. Of ${formatQuantity(unanswered.count, "review")} without an answer, ${formatCount(unanswered.gained)} gained stars and ${formatCount(unanswered.lost)} lost some.`}
          </p>
          <p className={styles.caveat}>
            Teams choose what they answer, and people change reviews for many reasons: the
            difference does not show that answers caused it.
          </p>
        </div>
      </Card>
    </div>
  );
}

function describeTime(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return formatQuantity(Math.max(1, minutes), "minute");
  const hours = Math.round(minutes / 60);
  return hours < 48 ? formatQuantity(hours, "hour") : formatQuantity(Math.round(hours / 24), "day");
}
