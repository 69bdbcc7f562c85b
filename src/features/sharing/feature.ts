// Sharing: links by which people without an account read one page of a workspace, and feed readers a saved view.
import type { Feature } from "../feature.ts";
import { createLink, endLink } from "./operations.ts";
import * as statements from "./sql.ts";

export const sharing: Feature = {
  name: "sharing",
  nouns: [{ noun: createLink.noun, operations: [createLink, endLink] }],
  ending: {
    withSecrets: async (tx, { workspaceId, userId }) =>
      (await tx.with(statements).endSharedLinks({ workspaceId, madeBy: userId })).map(
        ({ name }) => name,
      ),
    withReview: (tx, reviewId) => tx.with(statements).deleteFrozenPagesOf(reviewId),
    withTime: (database, now) => database.with(statements).deleteEndedLinks(now),
  },
  listReaders: async (database, query) =>
    (await database.with(statements).listSharedLinks(query)).map(({ isFrozen, ...link }) => ({
      ...link,
      destination:
        link.kind === "feed"
          ? "Feed readers with the link"
          : `Everyone with the link: ${isFrozen ? "a frozen" : "the live"} page`,
    })),
  loadRoutes: async () => (await import("./routes.ts")).sharingRoutes,
  loadPublicParts: async () => [(await import("./public-part.ts")).viewFeeds],
};
