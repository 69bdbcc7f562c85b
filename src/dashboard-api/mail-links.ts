// /mail/confirm/<token> and /mail/stop/<token>: what recipients of e-mails do without an account. GET shows a button,
// because mail programs open links by themselves; POST acts, also as the one click of RFC 8058.
import type { Context, Hono } from "hono";
import { createClientIp, ipPrefix } from "../http/client-ip.ts";
import { readBodyText } from "../http/json-body.ts";
import {
  answerAsRecipient,
  type LinkPurpose,
  readRecipientLink,
  sendStopLink,
} from "../use-cases/channels/email-recipients.ts";
import type { DashboardDeps } from "./deps.ts";
import { createPublicApp } from "./public-app.ts";
import { takeFrom } from "./request-limits.ts";

const words = {
  confirm: {
    question: "Do you want e-mails about app reviews?",
    button: "Yes, send them",
    done: "Confirmed. Each e-mail has a link that ends them.",
  },
  stop: {
    question: "Do you want no more e-mails about app reviews?",
    button: "Unsubscribe",
    done: "You get no more of these e-mails.",
  },
} as const satisfies Record<LinkPurpose, unknown>;

/** The limit for one network; people follow a few links. */
const perMinute = 30;

export function createMailLinks(deps: DashboardDeps): Hono {
  const { clock, openRateLimit, settings } = deps;
  const requests = openRateLimit({ name: "mail link", perMinute });
  const stopMails = openRateLimit({ name: "stop mail", perMinute: 1 });
  const clientIp = createClientIp(settings.trustedProxies);
  const app = createPublicApp(deps, { formAction: ["'self'"], imgSrc: ["'self'"] });
  for (const purpose of ["confirm", "stop"] as const) {
    app.on(["GET", "POST"], `/${purpose}/:token`, async (context) => {
      await takeFrom(requests, ipPrefix(clientIp(context)));
      const token = context.req.param("token");
      const link = readRecipientLink(deps.signingKey, { token, purpose, now: clock.now() });
      if (link === null) return page(context, "This link has ended, or is not complete.", 404);
      if (context.req.method !== "POST") {
        const isForAll = link.address === "";
        return page(context, words[purpose].question, 200, { purpose, isForAll });
      }
      const form = new URLSearchParams(await readBodyText(context, 4_096));
      if (link.address !== "") {
        await answerAsRecipient(deps, { ...link, purpose });
        return page(context, words[purpose].done, 200);
      }
      // The e-mail had several recipients: a link of one's own proves who unsubscribes.
      const address = form.get("address")?.toLowerCase() ?? "";
      const recipient = { workspaceId: link.workspaceId, address };
      if ((await stopMails.take(recipient.address)).accepted) await sendStopLink(deps, recipient);
      return page(context, "If we send e-mails to this address, it gets a link now.", 200);
    });
  }
  return app;
}

/** Shows no text from others. */
function page(
  context: Context,
  sentence: string,
  status: 200 | 404,
  form?: { purpose: LinkPurpose; isForAll: boolean },
) {
  const field = form?.isForAll
    ? '<p><label>Your e-mail address <input type="email" name="address" required></label></p>'
    : "";
  // Posts to its own address.
  const button = form
    ? `<form method="post">${field}<button>${words[form.purpose].button}</button></form>`
    : "";
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="/favicon.svg"><title>Starpost</title></head><body><h1>Starpost</h1><p>${sentence}</p>${button}</body></html>`;
  return context.html(html, status, { "cache-control": "no-store" });
}
