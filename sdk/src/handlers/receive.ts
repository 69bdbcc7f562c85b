// The shared handling of a request's bytes: verify, hand the event over, and say which status the
// service gets. 2xx ends the delivery; every other status makes the service try again later.
import {
  type HeaderSource,
  type VerifiedWebhook,
  verifyWebhook,
  WebhookError,
} from "../webhook.ts";

export type HandlerOptions = {
  /** The channel's secret as shown, `whsec_…`; several while a rotation is under way. */
  secret: string | readonly string[];
  /**
   * Called with each event that is verified. Return quickly: the service waits 10 seconds for the answer.
   * The same event can come twice; key your work by `deliveryId`. When it throws, the answer is 500 and
   * the event comes again.
   */
  onEvent: (webhook: VerifiedWebhook) => void | Promise<void>;
  /** Called with refused requests (`WebhookError`) and with other errors; by default the others are printed. */
  onError?: (error: unknown) => void;
  toleranceSeconds?: number | false;
  /** See `VerifyOptions`. */
  acceptsBodySignature?: boolean;
};

export type HandlerResult = { status: 204 | 401 | 500; text: string };

export async function receive(
  request: { body: string | Uint8Array | ArrayBuffer; headers: HeaderSource },
  { onEvent, onError = printError, ...verification }: HandlerOptions,
): Promise<HandlerResult> {
  try {
    await onEvent(await verifyWebhook({ ...request, ...verification }));
    return { status: 204, text: "" };
  } catch (error) {
    onError(error);
    if (error instanceof WebhookError) return { status: 401, text: error.message };
    return { status: 500, text: "the event could not be processed" };
  }
}

/** Refused requests are not printed, because anyone can send them. */
export function printError(error: unknown): void {
  if (error instanceof WebhookError) return;
  // biome-ignore lint/suspicious/noConsole: a library has no other log, and a silent 500 can't be found.
  console.error(error);
}
