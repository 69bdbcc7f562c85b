// Security headers of pages and of what they call: no framing, no sniffing, nothing about where a visitor
// came from, TLS only once it is used, and the Content-Security-Policy that the caller names.
import type { MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";

const yearSeconds = 31_536_000;

export type ContentSecurityPolicy = NonNullable<
  NonNullable<Parameters<typeof secureHeaders>[0]>["contentSecurityPolicy"]
>;

export function securityHeaders(options: {
  /** With an https URL browsers are instructed to stay on TLS. */
  publicUrl: string | null;
  contentSecurityPolicy: ContentSecurityPolicy;
  referrerPolicy: "no-referrer" | "same-origin";
}): MiddlewareHandler {
  const { publicUrl, contentSecurityPolicy, referrerPolicy } = options;
  return secureHeaders({
    contentSecurityPolicy,
    referrerPolicy,
    xFrameOptions: "DENY",
    permissionsPolicy: { camera: [], geolocation: [], microphone: [], payment: [], usb: [] },
    strictTransportSecurity: publicUrl?.startsWith("https:")
      ? `max-age=${yearSeconds}; includeSubDomains`
      : false,
  });
}
