// Webhooks, as the contract has them: the stored bytes, signed with the secret of this moment.
import type { EndpointFacts } from "../../../domain/channel/delivery.ts";
import {
  judgeByStatus,
  judged,
  type ResolvedEndpoint,
  retry,
  type Sent,
  unsent,
} from "../../send/endpoint.ts";
import type { Sender } from "../../send/send.ts";
import { composeHeaders, listMessageKeys, openSigner, type Secrets } from "../../send/signature.ts";

type WebhookDeps = {
  secrets: Secrets;
  sender: Pick<Sender, "check" | "post">;
  /** Starpost's own, for the User-Agent. */
  version: string;
};

export function resolveWebhook(
  deps: WebhookDeps,
  facts: EndpointFacts & { channelId: string },
): ResolvedEndpoint {
  const { channelId, url, host, encryptedSecret, oldEncryptedSecret } = facts;
  const target = deps.sender.check(url);
  const signer = openSigner(deps.secrets, { channelId, encryptedSecret });
  const oldSigner =
    oldEncryptedSecret &&
    openSigner(deps.secrets, { channelId, encryptedSecret: oldEncryptedSecret });
  const oldEndsAt = facts.oldSecretEndsAt;
  return {
    url,
    host,
    pace: null,
    isDroppedBy410: true,
    async send({ delivery, now, isFresh, isRepeat }): Promise<Sent> {
      if (signer.kind === "sealed") return unsent(retry(signer.reason));
      const headers = composeHeaders(delivery, {
        bodyKey: signer.bodyKey,
        messageKeys: listMessageKeys({ signer, oldSigner, oldEndsAt }, now),
        now,
        version: deps.version,
      });
      const posted = await deps.sender.post({
        target,
        headers,
        body: delivery.body,
        isFresh,
        isRepeat,
      });
      if (posted.kind === "stale") return posted;
      const outcome = judgeByStatus(posted, now);
      // A webhook's 429 is a failure like any other: the contract knows no pace.
      return judged(
        posted,
        outcome.kind === "retry" ? { ...outcome, isThrottled: false } : outcome,
      );
    },
  };
}
