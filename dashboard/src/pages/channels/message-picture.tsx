// About what a message of a channel looks like where it arrives, with an invented review.
import { type ChannelType, channelTypes } from "../../../../src/domain/channel/channel-types.ts";
import { Card } from "../../components/card.tsx";
import type { ChannelDraft, DigestRhythm } from "./channel-draft.ts";
import styles from "./message-picture.module.css";
import { RequestPreview } from "./request-preview.tsx";

export function MessagePicture({ draft }: { draft: ChannelDraft }) {
  const { type, digest } = draft;
  if (type === "webhook") return null;
  if (type === "http") return <RequestPreview request={draft.request} />;
  if (digest !== null) return <DigestPicture type={type} rhythm={digest} />;
  return (
    <Card title="Message" hint={`Preview of the ${channelTypes[type].name} message`}>
      <figure className={styles.message} data-tone={toneOf(draft)}>
        <Content draft={draft} />
        <p className={styles.links}>
          <span>Open in Starpost</span>
          <span>App Store</span>
        </p>
      </figure>
    </Card>
  );
}

const praise = {
  text: ["Una reseña inventada", "La tabla de mareas nunca se equivoca."],
  english: ["An invented review", "The tide table is never wrong."],
};
const complaint = {
  text: ["Una reseña inventada", "La tabla de mareas está vacía desde ayer."],
  english: ["An invented review", "The tide table has been empty since yesterday."],
};

/** An event that the channel sends: a review of a rating that it takes, in another language where it translates. */
function Content({ draft }: { draft: ChannelDraft }) {
  const { events, filter, translate } = draft;
  if (isOfRatings(draft)) {
    return (
      <>
        <p className={styles.heading}>Rating of Sample App fell by 0.15 stars</p>
        <p>From 4.36 to 4.21 within {draft.periodDays || 7} days, by 12,345 ratings.</p>
      </>
    );
  }
  const rating = ratingOf(draft);
  const { text, english } = rating >= 4 ? praise : complaint;
  const [title, body] = translate ? text : english;
  const what = events.includes("review.created") ? "New review" : "Edited review";
  const countries = new URLSearchParams(filter ?? "").get("country");
  const [country = ""] = (countries ?? (translate ? "es" : "us")).split(",");
  return (
    <>
      <p className={styles.heading}>
        {"★".repeat(rating).padEnd(5, "☆")} {what} of Sample App
      </p>
      <p className={styles.title}>{title}</p>
      <p>{body}</p>
      {translate ? (
        <>
          <p className={styles.note}>Translated from Spanish</p>
          <p>{english[1]}</p>
        </>
      ) : null}
      <p className={styles.note}>
        Sample Author · App Store · {country.toUpperCase()} · version 1.0.0 · 2 Mar 2026
      </p>
    </>
  );
}

function isOfRatings({ events }: ChannelDraft): boolean {
  return events.includes("review.rating_drop") && !events.some(isOfReview);
}

const isOfReview = (event: string) => ["review.created", "review.updated"].includes(event);

function ratingOf({ stars }: ChannelDraft): number {
  return stars === null || stars.length === 0 || stars.includes(2) ? 2 : Math.min(...stars);
}

function toneOf(draft: ChannelDraft): "good" | "neutral" | "bad" {
  if (isOfRatings(draft) || ratingOf(draft) < 3) return "bad";
  return ratingOf(draft) === 3 ? "neutral" : "good";
}

function DigestPicture({ type, rhythm }: { type: ChannelType; rhythm: DigestRhythm }) {
  const isDaily = rhythm === "daily";
  return (
    <Card title="Message" hint={`Preview of the ${channelTypes[type].name} message`}>
      <figure className={styles.message} data-tone="neutral">
        <p className={styles.heading}>
          {isDaily ? "Daily digest" : "Weekly digest"} of Sample App:{" "}
          {isDaily ? "2 Mar" : "23 Feb to 1 Mar"}
        </p>
        <p>
          • {isDaily ? "On 2 Mar" : "From 23 Feb to 1 Mar"} there were 14 reviews, 9 would be usual,
          with 3.21 stars on average (4.10 before).
        </p>
        <p>• 6 of 14 reviews complain about crashes: 43% now, 4 of 36 before.</p>
        <p className={styles.note}>Rating 4.21 by 12,345 ratings (before 4.25, 61 new)</p>
        <p className={styles.note}>Crash: 6 bad reviews</p>
        <p className={styles.quote}>★☆☆☆☆ Closes by itself at every start. (version 1.0.0, ES)</p>
        <p className={styles.links}>
          <span>Open in Starpost</span>
          <span>App Store</span>
        </p>
      </figure>
    </Card>
  );
}
