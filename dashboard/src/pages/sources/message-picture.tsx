// About what a message of a channel looks like where it arrives, with an invented review.
import { type ChannelType, channelTypes } from "../../../../src/domain/channel/channel-types.ts";
import { Card } from "../../components/card.tsx";
import type { ChannelDraft, DigestRhythm } from "./channel-draft.ts";
import styles from "./message-picture.module.css";
import { RequestPreview } from "./request-preview.tsx";

export function MessagePicture({ draft }: { draft: ChannelDraft }) {
  const { type, translate, digest } = draft;
  if (type === "webhook") return null;
  if (type === "http") return <RequestPreview request={draft.request} />;
  if (digest !== null) return <DigestPicture type={type} rhythm={digest} />;
  return (
    <Card title="Message" hint={`Preview of the ${channelTypes[type].name} message`}>
      <figure className={styles.message} data-type={type}>
        <p className={styles.heading}>★★☆☆☆ New review of Sample App</p>
        <p className={styles.title}>Una reseña inventada</p>
        <p>La tabla de mareas está vacía desde ayer.</p>
        {translate ? (
          <>
            <p className={styles.note}>Translated from Spanish</p>
            <p>The tide table has been empty since yesterday.</p>
          </>
        ) : null}
        <p className={styles.note}>Sample Author · App Store · ES · version 1.0.0 · 2026-03-02</p>
        <p className={styles.links}>
          <span>Open in Starpost</span>
          <span>App Store</span>
        </p>
      </figure>
    </Card>
  );
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
