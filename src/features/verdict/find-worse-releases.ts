// Releases that are worse, as alerts.

import type { FollowedApp } from "../../database/reviews/followed-apps.ts";
import type { FeedReviewRow } from "../../database/reviews/review-feed.ts";
import { releaseDays } from "../../domain/changes/release-periods.ts";
import { type Verdict, worseByDefault } from "../../domain/changes/verdict.ts";
import type { Channel } from "../../domain/channel/channel.ts";
import type { EventQuote } from "../../domain/channel/channel-event.ts";
import { chooseQuoted, shorten } from "../../domain/review/quote.ts";
import { addDays, dayOf } from "../../lib/timestamp.ts";
import {
  type Alert,
  type AlertDeps,
  alertOf,
  listOwnApps,
} from "../../use-cases/channels/alert-finders.ts";
import { readVerdicts } from "./read-verdicts.ts";

/** Each costs a few hundred milliseconds where there are many reviews. */
const appsMax = 20;
/** Several can come out on one day or in one week. */
const releasesMax = 5;

/** The newest releases of each app, while their reviews are judged. */
export async function findWorseReleases(deps: AlertDeps, channel: Channel): Promise<Alert[]> {
  const { clock, database } = deps;
  const { workspaceId } = channel;
  const own = (await listOwnApps(deps, channel)).slice(0, appsMax);
  const apps = await database.listFollowedApps({ workspaceId, ids: own.map(({ id }) => id) });
  const releases = { newestMax: releasesMax };
  const chosen = { workspaceId, apps, worseBy: worseByDefault, releases };
  const verdicts = await readVerdicts(database, chosen);
  const since = addDays(dayOf(clock.now()), -releaseDays);
  const worse = verdicts.filter(({ result, firstDay }) => result === "worse" && firstDay >= since);
  const reviews = await database.loadFeedReviews({
    workspaceId,
    reviews: worse.flatMap((verdict) => listDecisive(verdict, apps)),
  });
  return worse.flatMap((verdict) => {
    const { app, version, words } = verdict;
    const items = [{ cause: `release.worse ${app.id} ${version}`, text: `${version}: ${words}` }];
    const subject = own.find(({ id }) => id === app.id);
    const quote = quoteOne(reviews.filter(({ id }) => verdict.reviewIds.includes(id)));
    return alertOf("release.worse", subject, items).map((alert) => ({
      ...{ ...alert, version },
      ...(quote && { quote }),
    }));
  });
}

function listDecisive({ app, reviewIds }: Verdict, apps: readonly FollowedApp[]) {
  const listingId = apps.find(({ id }) => id === app.id)?.listingId;
  return listingId === undefined ? [] : reviewIds.map((id) => ({ listingId, id }));
}

function quoteOne(reviews: readonly FeedReviewRow[]): EventQuote | undefined {
  const best = chooseQuoted(reviews);
  if (!best) return undefined;
  const { id: reviewId, rating, text, translatedText, version, country } = best;
  return { reviewId, rating, text: shorten(translatedText ?? text), version, country };
}
