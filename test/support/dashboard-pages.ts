// The pages of the dashboard by the names of their chunks, with their parts that make requests of their own.
/** Their code comes with the start. */
const startPages = [
  ["overview", "/overview"],
  ["reviews", "/reviews"],
] as const;

export const pages = [
  ["compare", "/compare", "Compare"],
  ["sources", "/sources", "Sources"],
  ["keys", "/keys", "API keys"],
  ["settings", "/settings", "Settings"],
  ["release-page", "/releases/:app", "Version 4.2.1"],
  ["backtest-page", "/verdicts/:app", "Past verdicts"],
  ["app-page", "/sources/apps/:app", "Tidepool Journal"],
  ["channel-page", "/sources/channels/new", "New channel"],
  ["review-page", "/reviews/:app/:review", "Review"],
] as const;

/** Pages before the sign-in, by their names; one script has them all. */
export const entrances = [
  ["sign-in", "/sign-in"],
  ["set-up", "/setup#invented"],
  ["join", "/join#invented"],
  ["sign-in-link", "/sign-in-link#invented"],
  ["sign-in-problem", "/sign-in-problem#expired"],
  ["forgotten-password", "/forgotten-password"],
  ["reset-password", "/reset#invented"],
] as const;

/** A page of the application that needs no session. */
export const sharedPage = ["shared-page", "/shared#invented"] as const;

/** Parts of pages that make requests of their own. */
const tabs = [
  ["reviews-open", "/reviews?open=:app/:review"],
  ["channel-log", "/sources/channels/:channel"],
  ["channel-settings", "/sources/channels/:channel?tab=settings"],
  ["channel-secret", "/sources/channels/:channel?tab=secret"],
  ["settings-you", "/settings?tab=you"],
  ["settings-topics", "/settings?tab=topics"],
  ["settings-outgoing", "/settings?tab=outgoing"],
  ["settings-audit", "/settings?tab=audit"],
] as const;

export const loaded = [...startPages, ...pages, ...tabs].map(
  ([name, target]) => [name, target] as const,
);
