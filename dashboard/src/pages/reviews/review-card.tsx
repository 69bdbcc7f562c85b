// One review: its text, the translation beside it, sentiment and topics, the reply, and its edits.
import type { ReactNode } from "react";
import type { FeedReview } from "../../../../src/dashboard-api/contract/reviews.ts";
import { Chip, type ChipTone } from "../../components/chip.tsx";
import { Link, useIsShared } from "../../components/link.tsx";
import { LongText } from "../../components/long-text.tsx";
import { Marked } from "../../components/marked.tsx";
import { Stars } from "../../components/stars.tsx";
import { Time } from "../../components/time.tsx";
import { capitalised } from "../../format/capitalised.ts";
import { appLabel, languageName, originName, topicName } from "../../format/names.ts";
import { formatQuantity } from "../../format/numbers.ts";
import { storeName } from "../../format/stores.ts";
import { AssignMenu } from "./assign-menu.tsx";
import { EditHistory } from "./edit-history.tsx";
import { type FeedFilters, reviewsPath } from "./filters.ts";
import styles from "./reviews.module.css";

type ReviewCardProps = {
  review: FeedReview;
  app: Parameters<typeof appLabel>[0] | undefined;
  /** A click on a chip adds to them; without them the chips are not links. */
  filters?: FeedFilters;
  /** In a list: whether it is among the selected ones, and its place beside the list. */
  selection?: {
    isSelected: boolean;
    isOpen: boolean;
    openPath: string;
    answerPath: string;
    onToggle: () => void;
    onAssign: (assignee: string | null) => void;
  };
};

const tones: Record<string, ChipTone> = { positive: "good", negative: "bad", mixed: "warn" };

export function ReviewCard({ review, app, filters, selection }: ReviewCardProps) {
  const isShared = useIsShared();
  const words = filters?.q;
  return (
    <article
      className={selection?.isOpen ? `${styles.review} ${styles.opened}` : styles.review}
      data-review={review.id}
    >
      <div className={styles.head}>
        {selection ? (
          <label className={styles.select} data-print="hidden">
            <input type="checkbox" checked={selection.isSelected} onChange={selection.onToggle} />
            <span className="visually-hidden">
              Select the review of {review.author || "Anonymous"}
            </span>
          </label>
        ) : null}
        <Stars rating={review.rating} />
        <span className={styles.author}>
          <Marked text={review.author || "Anonymous"} words={words} />
        </span>
        <span>{app ? appLabel(app) : storeName(review.store)}</span>
        <span>{originName(review.store, review.country)}</span>
        {review.version ? <span>{review.version}</span> : null}
        {review.device ? <span>{deviceName(review)}</span> : null}
        {review.votes ? <span>{formatQuantity(review.votes, "helpful vote")}</span> : null}
        <Link href={pathOf({ review, selection })} title="Link to this review">
          <Time at={review.date} />
        </Link>
        {review.removedAt ? (
          <span>
            Removed from the store, noticed <Time at={review.removedAt} />
          </span>
        ) : null}
      </div>
      <Texts review={review} words={words} />
      <Chips review={review} filters={filters} selection={selection} />
      {review.reply ? (
        <div className={styles.reply}>
          <strong>Developer's reply</strong>{" "}
          {review.reply.at ? <Time at={review.reply.at} /> : null}
          <p dir="auto">{review.reply.text}</p>
        </div>
      ) : null}
      {review.editedAt && !isShared ? (
        <EditHistory review={review} editedAt={review.editedAt} />
      ) : null}
    </article>
  );
}

/** Beside its list, or on a page of its own. */
function pathOf(card: {
  review: ReviewCardProps["review"];
  selection: ReviewCardProps["selection"] | undefined;
}): string {
  const { appId, id } = card.review;
  return card.selection?.openPath ?? `/reviews/${appId}/${id}`;
}

/** Android counts its versions by the level of its interface. */
function deviceName({ device, osVersion }: Pick<FeedReview, "device" | "osVersion">): string {
  return osVersion ? `${device}, Android API ${osVersion}` : `${device}`;
}

function Texts({ review, words }: { review: FeedReview; words: string | undefined }) {
  const { title, text, translatedText, translatedFrom, language } = review;
  const lang = language && language !== "und" ? language : undefined;
  return (
    <div className={styles.texts}>
      <LongText
        className={styles.inline}
        lang={lang}
        length={(title ?? "").length + text.length}
        isOpen={isFoundLate(text, words)}
      >
        {title ? (
          <h3>
            <Marked text={title} words={words} />
          </h3>
        ) : null}{" "}
        {text ? (
          <p>
            <Marked text={text} words={words} />
          </p>
        ) : (
          <p className={styles.from}>No text</p>
        )}
      </LongText>
      {translatedText ? (
        <div className={styles.translation} lang="en">
          <p className={styles.from}>
            Translated{translatedFrom ? ` from ${languageName(translatedFrom)}` : ""}
          </p>
          <LongText
            lang="en"
            length={translatedText.length}
            isOpen={isFoundLate(translatedText, words)}
          >
            <Marked text={translatedText} words={words} />
          </LongText>
        </div>
      ) : null}
    </div>
  );
}

/** Whether the words of a search begin where a folded text may have ended. */
function isFoundLate(text: string, words = ""): boolean {
  return words !== "" && text.toLowerCase().indexOf(words.toLowerCase()) > foundEarlyMax;
}

const foundEarlyMax = 250;

function Chips({
  review,
  filters,
  selection,
}: Pick<ReviewCardProps, "review"> & {
  filters: FeedFilters | undefined;
  selection: ReviewCardProps["selection"] | undefined;
}) {
  const { sentiment, topics, work } = review;
  const to = (added: FeedFilters) => (filters ? reviewsPath({ ...filters, ...added }) : undefined);
  return (
    <div className={styles.chips}>
      {sentiment ? (
        <Chip tone={tones[sentiment.label] ?? "plain"} to={to({ sentiment: sentiment.label })}>
          {capitalised(sentiment.label)}
        </Chip>
      ) : null}
      {topics.map(({ name, evidence }) => (
        <Hint key={name} text={evidence.join(" · ")}>
          <Chip to={to({ topic: name })}>{topicName(name)}</Chip>
        </Hint>
      ))}
      {work?.tags.map((tag) => (
        <Chip key={tag} tone="accent" to={to({ tag })}>
          # {tag}
        </Chip>
      ))}
      {work?.assignee ? (
        <Chip to={to({ assignee: work.assignee.userId })}>@ {work.assignee.name}</Chip>
      ) : null}
      {work?.isDone ? <Chip tone="good">Done</Chip> : null}
      {selection ? (
        <AssignMenu
          label=" this review"
          button={<span className={styles.workLink}>Assign</span>}
          isAssigned={work?.assignee != null}
          onAssign={selection.onAssign}
        />
      ) : null}
      {selection ? (
        <span data-print="hidden">
          <Link href={selection.answerPath} className={styles.workLink}>
            Answer
          </Link>
        </span>
      ) : null}
      {filters ? (
        <span data-print="hidden">
          <Link href={pathOf({ review, selection })} className={styles.workLink}>
            {selection ? notesOrTriage(work) : "Open"}
          </Link>
        </span>
      ) : null}
    </div>
  );
}

function notesOrTriage(work: FeedReview["work"]): string {
  return work && work.noteCount > 0 ? formatQuantity(work.noteCount, "note") : "Triage";
}

/** The words that a topic was detected by, shown on hover. */
function Hint({ text, children }: { text: string; children: ReactNode }) {
  return <span title={text || undefined}>{children}</span>;
}
