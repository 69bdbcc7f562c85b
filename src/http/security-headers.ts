// Headers of every answer of the dashboard, pages and JSON: nothing from elsewhere is loaded, nobody may
// frame it, and nothing tells other sites where one came from.
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

const yearSeconds = 31_536_000;

export function securityHeaders(publicUrl: string | null): Record<string, string> {
  return {
    "Content-Security-Policy": contentPolicy,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    ...(publicUrl?.startsWith("https:")
      ? { "Strict-Transport-Security": `max-age=${yearSeconds}` }
      : {}),
  };
}
