// Links that share one page with people and feed readers without an account: made and ended.
import { z } from "zod";
import type { DatabaseTransaction } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import { dayMs } from "../../lib/timestamp.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { mailNotice } from "../../operations/notices.ts";
import {
  action,
  creation,
  defineNoun,
  findAmong,
  type Resource,
  readSaved,
} from "../../operations/operation.ts";
import { generateToken } from "../../use-cases/accounts/link-token.ts";
import { linkKinds, linkLimits, type SharedLink } from "./shared-link.ts";
import * as statements from "./sql.ts";

type LinkResource = SharedLink & Resource;

const linkNoun = defineNoun<LinkResource>({
  noun: "link",
  plural: "links",
  path: "links",
  find: findAmong(listLinks),
  list: listLinks,
  toView: ({ id, kind, name }) => ({ id, kind, name }),
  viewSchema: null,
});

/** Those that have ended, too, until they are deleted. */
async function listLinks(
  database: DatabaseTransaction,
  workspaceId: string,
): Promise<LinkResource[]> {
  const links = await database.with(statements).listSharedLinks({ workspaceId, now: new Date(0) });
  return links.map((link) => ({ ...link, workspaceId, version: 0 }));
}

/** The page as `preparePage` makes it. */
const pageSchema = z.strictObject({
  kind: z.enum(linkKinds),
  viewId: z.string().nullable(),
  name: z.string(),
  query: z.string(),
  frozen: z.object({ page: z.string(), reviewIds: z.array(z.string()) }).nullable(),
  /** null: a feed that ends by hand alone. */
  days: z.number().nullable(),
});

/** Its secret is returned this once. */
export const createLink = creation(linkNoun, {
  verb: "create",
  summary: "Share a page by a link",
  // It reads reviews without signing in, as a key does.
  role: "owner",
  isSensitive: true,
  limits: [{ perMinute: 30, by: "workspace" }],
  audit: "link.created",
  schema: pageSchema,
  async run({ tx, workspaceId, actor, now }, { input: { days, ...link } }) {
    const { linksMax, frozenBytesMax } = linkLimits;
    const { kind, name, frozen } = link;
    if (frozen && Buffer.byteLength(frozen.page) > frozenBytesMax) {
      const size = `${frozenBytesMax / 1024} kB`;
      throw new AppError("too_large", `the page has more than ${size}: choose fewer days or apps`);
    }
    if (actor.kind !== "user") throw new AppError("forbidden", "only a person shares a page");
    if ((await tx.with(statements).listSharedLinks({ workspaceId, now })).length >= linksMax)
      throw new AppError("conflict", `a workspace can have ${linksMax} links: end some first`);
    const id = uuidV7(now);
    const { token, tokenHash } = generateToken();
    const endsAt = days === null ? null : new Date(now.getTime() + days * dayMs);
    const made = {
      ...link,
      workspaceId,
      id,
      tokenHash,
      madeBy: actor.user.id,
      madeAt: now,
      endsAt,
    };
    if (!(await tx.with(statements).insertSharedLink(made)))
      throw new AppError("conflict", "a review of the page was erased just now: try again");
    const result = await readSaved(linkNoun, tx, { id, workspaceId });
    const detail = { kind, name, isFrozen: frozen !== null, endsAt };
    return { result, id, detail, secret: token };
  },
  async after(context, { input }) {
    mailNotice(context, `shared "${input.name}" by a link that needs no account`);
  },
});

export const endLink = action(linkNoun, {
  verb: "delete",
  summary: "End a link",
  role: "member",
  audit: "link.ended",
  async run({ tx }, { before }) {
    const { id, workspaceId, kind } = before;
    await tx.with(statements).endSharedLinks({ workspaceId, id });
    return { result: before, detail: { kind } };
  },
});
