// Where the deliveries of a channel go and what signs them, as its row said at one moment, ready to be used.
import type { EndpointFacts } from "../domain/delivery.ts";
import type { Sender } from "./sender.ts";
import { openSigner, type Secrets, type Signer } from "./signature.ts";
import type { UrlCheck } from "./url-check.ts";

export type ResolvedEndpoint = {
  url: string;
  host: string;
  target: UrlCheck;
  signer: Signer;
  /** Of the secret before the last rotation: it signs as well until then. */
  oldSigner: Signer | null;
  oldEndsAt: Date | null;
};

export function resolveEndpoint(
  deps: { secrets: Secrets; sender: Pick<Sender, "check"> },
  facts: EndpointFacts & { channelId: string },
): ResolvedEndpoint {
  const { channelId, url, host, encryptedSecret, oldEncryptedSecret } = facts;
  return {
    url,
    host,
    target: deps.sender.check(url),
    signer: openSigner(deps.secrets, { channelId, encryptedSecret }),
    oldSigner:
      oldEncryptedSecret &&
      openSigner(deps.secrets, { channelId, encryptedSecret: oldEncryptedSecret }),
    oldEndsAt: facts.oldSecretEndsAt,
  };
}
