// Passes a verified delivery on to a receiver under development, byte for byte.
import type { VerifiedRequest } from "../demo/receiver.ts";
import { minuteMs } from "../lib/timestamp.ts";

/** The receiver's status; 502 when it does not answer. */
export async function forward(url: string, { body, headers }: VerifiedRequest): Promise<number> {
  const kept = Object.entries(headers).filter(([name]) =>
    /^(content-type|x-service-|webhook-|user-agent)/.test(name),
  );
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
      body: new Uint8Array(body),
      signal: AbortSignal.timeout(minuteMs),
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    // The line that is printed shows it, and the service tries again.
    return 502;
  }
}
