// About what a message of a channel looks like where it arrives, with an invented review.
import type { ChannelType } from "../../../../src/dashboard-api/contract/channels.ts";
import { Card } from "../../components/card.tsx";
import { channelTypeNames } from "./channel-type-names.ts";
import styles from "./message-picture.module.css";

export function MessagePicture({ type, translate }: { type: ChannelType; translate: boolean }) {
  if (type === "webhook") return null;
  return (
    <Card title="Message" hint={`About what arrives in ${channelTypeNames[type]}`}>
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
