// Security headers of pages and of what they call: no framing, no sniffing, nothing about where a visitor
// came from, and the Content-Security-Policy that the caller names. Every answer keeps a browser on TLS once it is used.
import type { MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";

const yearSeconds = 31_536_000;

export type ContentSecurityPolicy = NonNullable<
  NonNullable<Parameters<typeof secureHeaders>[0]>["contentSecurityPolicy"]
>;

/** With an https URL browsers are instructed to stay on TLS for that name, whose owner may have others below it. */
export function stayOnTls(publicUrl: string | null): MiddlewareHandler {
  return async (context, next) => {
    await next();
    if (publicUrl?.startsWith("https:"))
      context.res.headers.set("Strict-Transport-Security", `max-age=${yearSeconds}`);
  };
}

export function securityHeaders(options: {
  contentSecurityPolicy: ContentSecurityPolicy;
  referrerPolicy: "no-referrer" | "same-origin";
}): MiddlewareHandler {
  const { contentSecurityPolicy, referrerPolicy } = options;
  return secureHeaders({
    contentSecurityPolicy,
    referrerPolicy,
    xFrameOptions: "DENY",
    permissionsPolicy: { camera: [], geolocation: [], microphone: [], payment: [], usb: [] },
    // `stayOnTls` sets it on these answers as well.
    strictTransportSecurity: false,
  });
}
