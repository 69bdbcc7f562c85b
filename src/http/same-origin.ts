// Refuses requests that change something and do not come from our own pages (CSRF). hono/csrf checks only
// what an HTML form can send and lets application/json pass; here every method but GET and HEAD is checked.
import type { Context, MiddlewareHandler } from "hono";
import { AppError } from "../domain/error.ts";
import { canParseUrl } from "../lib/urls.ts";

/**
 * @param publicUrl where people reach the service, when it is not the Host header
 * @throws AppError `forbidden`
 */
export function requireSameOrigin(publicUrl: string | null): MiddlewareHandler {
  return async (context, next) => {
    if (!isSameOrigin(context, publicUrl)) {
      throw new AppError("forbidden", "this request does not come from the dashboard's own pages");
    }
    await next();
  };
}

function isSameOrigin(context: Context, publicUrl: string | null): boolean {
  const { method } = context.req;
  if (method === "GET" || method === "HEAD") return true;
  // Browsers set both headers themselves and no page can change them. They leave out Sec-Fetch-Site where
  // the page is not served over TLS or from this machine. Without either header the client is not a browser.
  const site = context.req.header("sec-fetch-site");
  if (site !== undefined) return site === "same-origin";
  const origin = context.req.header("origin");
  if (origin === undefined || !canParseUrl(origin)) return false;
  if (publicUrl !== null && new URL(publicUrl).origin === origin) return true;
  return new URL(origin).host === context.req.header("host");
}
