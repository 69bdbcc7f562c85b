// An app of one store that a workspace reads through its own account, with reviews to answer: the real operations, worker,
// ingest and store clients, against the simulated store.
import type { AnswerRules } from "../../simulator/api-auth.ts";
import { connectIdOf } from "../../simulator/connect-review.ts";
import type { FaultRule } from "../../simulator/fault-flags.ts";
import type { AppKey } from "../../simulator/store-facts.ts";
import { generateStoreKeys } from "../../simulator/store-keys.ts";
import type { App, Listing } from "../../src/domain/feed/listing.ts";
import { reviewIdOf } from "../../src/domain/review/review.ts";
import type { StoreAnswers } from "../../src/domain/review/store-answer.ts";
import type { StoreId } from "../../src/domain/store/store-id.ts";
import { findReplies, toReplyView } from "../../src/features/replies/find-replies.ts";
import { draftReply, sendReply, withdrawReply } from "../../src/features/replies/operations.ts";
import { recheckAll, sendDueReplies } from "../../src/features/replies/worker.ts";
import { createAppStoreConnect } from "../../src/features/store-accounts/apple/connect-store.ts";
import { createPlayDeveloper } from "../../src/features/store-accounts/google/play-store.ts";
import { addCredential } from "../../src/features/store-accounts/operations.ts";
import { createIngest } from "../../src/ingest/ingest-reviews.ts";
import { type Log, silentLog } from "../../src/lib/log.ts";
import { uuidV7 } from "../../src/lib/uuid.ts";
import type { FetchedPage, Store } from "../../src/stores/store.ts";
import { aWorkspace } from "./factories.ts";
import { act, type Deps } from "./operations.ts";
import { openStoreHarness, type StoreHarness } from "./store-harness.ts";
import type { TestContext } from "./test-context.ts";

const keys = generateStoreKeys();

export type ReplyWorld = Awaited<ReturnType<typeof openReplyWorld>>;
type ReplyView = ReturnType<typeof toReplyView>;

/** A workspace's app, and what its people do. */
type Team = { workspaceId: string; app: App; listing: Listing };

export async function openReplyWorld(
  context: TestContext,
  input: {
    store: StoreId;
    reviewCount?: number;
    teamCount?: number;
    isReadOnly?: boolean;
    totalTimeoutMs?: number;
    /** Changes what the worker asks of the store. */
    change?: (answers: StoreAnswers) => StoreAnswers;
    log?: Log;
  },
) {
  const { store, reviewCount = 1, teamCount = 1, totalTimeoutMs = 1_000, change } = input;
  const access = { isReadOnly: input.isReadOnly ?? false };
  const accounts = {
    connectKeys: keys.accounts.connectKeys.map((key) => ({ ...key, ...access })),
    serviceAccounts: keys.accounts.serviceAccounts.map((one) => ({ ...one, ...access })),
  };
  const harness = await openStoreHarness({ accounts, totalTimeoutMs });
  const { clock, simulator, storeState } = harness;
  const externalAppId = store === "appstore" ? "1987000001" : "com.example.lanternfish";
  const key: AppKey = { store, externalAppId };
  storeState.addApp({ ...key, name: "Lanternfish" });
  const storeReviewIds = Array.from({ length: reviewCount }, () =>
    storeState.addReview(key, { region: "us", rating: 1, text: "It crashes." }),
  );
  const idOf = (storeReviewId: string): string =>
    store === "appstore" ? connectIdOf(storeReviewId) : storeReviewId;
  const { database } = context;
  const deps: Deps = { clock, database, actor: "support" };
  const client = openClient(harness, store);
  const answers = client.answers ?? failNow();
  const workerDeps = {
    clock,
    database,
    log: input.log ?? silentLog,
    openStoreClient: async () => ({ answers: change?.(answers) ?? answers }),
  };
  const teams: Team[] = [];
  for (let count = 0; count < teamCount; count += 1) teams.push(await addTeam(deps, key));
  const [team = failNow()] = teams;
  const fetchPage = (): Promise<FetchedPage> =>
    client.fetchReviews({ externalAppId, region: "all", cursor: null });
  const ingest = createIngest({ clock, database });
  const readView = async (id: string, { workspaceId }: Team = team): Promise<ReplyView> => {
    const [row] = await findReplies(database, { workspaceId, ids: [id] });
    if (!row) throw new Error(`there is no review ${id}`);
    return toReplyView(row);
  };
  const world = {
    ...{ harness, clock, database, key, teams, deps, workerDeps, fetchPage },
    /** Starpost's id and the store's id of each review. */
    reviews: storeReviewIds.map((storeReviewId) => ({
      storeReviewId,
      id: reviewIdOf({ ...key, storeReviewId: idOf(storeReviewId) }),
    })),
    /** Saves the page of a crawl, which may have been read before. */
    async crawl(page?: FetchedPage) {
      const read = page ?? (await fetchPage());
      if (read.outcome !== "ok") throw new Error(`the crawl was ${read.outcome}`);
      const { reviews } = read.value;
      for (const { listing } of teams)
        await ingest({
          ...{ listing, reviews, source: "store" as const },
          ...{ notifyPolicy: { kind: "never" as const }, undatedAt: null },
        });
    },
    readView,
    send: (id: string, values: { text: string; replaces?: string | null }, by: Team = team) =>
      act(deps, sendReply, { workspaceId: by.workspaceId, id, ...values }),
    draft: (id: string, draft: string, by: Team = team) =>
      act(deps, draftReply, { workspaceId: by.workspaceId, id, draft }),
    withdraw: (id: string, values: { replaces?: string | null } = {}, by: Team = team) =>
      act(deps, withdrawReply, {
        ...{ workspaceId: by.workspaceId, id, takeBack: false, replaces: undefined },
        ...values,
      }),
    /** Cancels a queued request. */
    takeBack: (id: string, by: Team = team) =>
      act(deps, withdrawReply, {
        ...{ workspaceId: by.workspaceId, id, takeBack: true, replaces: undefined },
      }),
    work: () => sendDueReplies(workerDeps, AbortSignal.timeout(60_000)),
    recheck: () => recheckAll(workerDeps),
    /** As the store has it, whether it shows it or not. */
    inStore: (storeReviewId: string): string | null =>
      storeState.findReview(store, (one) => one === storeReviewId)?.reply?.text ?? null,
    /** In the store's own console. */
    writeElsewhere(storeReviewId: string, text: string | null) {
      const reply = text === null ? null : { text, at: clock.now() };
      storeState.addReply(key, { storeReviewId, reply });
    },
    fail: (rule: Omit<FaultRule, "when">) => {
      const kind = store === "appstore" ? "connect-answering" : "play-answering";
      simulator.faultFlags.enable({ ...rule, when: { kind } });
    },
    failReads: (rule: Omit<FaultRule, "when">) => {
      const kind = store === "appstore" ? "connect-answer" : "play-review";
      simulator.faultFlags.enable({ ...rule, when: { kind } });
    },
    setRules: (rules: Partial<AnswerRules>) => Object.assign(simulator.apiAuth.answers, rules),
    close: () => harness.close(),
  };
  await world.crawl();
  return world;
}

function failNow(): never {
  throw new Error("the world is incomplete");
}

function openClient(
  { http, clock, apple, google, simulator }: StoreHarness,
  store: StoreId,
): Store {
  const { url } = simulator;
  if (store === "appstore") {
    const credential = keys.team;
    return createAppStoreConnect({ http, clock, baseUrl: url, credential, publicStore: apple });
  }
  return createPlayDeveloper({
    ...{ http, clock, publicStore: google, workspaceId: "one" },
    ...{ androidPublisherBaseUrl: url, oauthBaseUrl: url, storageBaseUrl: url },
    credential: { ...keys.service, bucket: null },
  });
}

async function addTeam(deps: Deps, key: AppKey): Promise<Team> {
  const { clock, database } = deps;
  const { id: workspaceId } = await aWorkspace(database);
  const { team, service } = keys;
  const account =
    key.store === "appstore"
      ? { keyFile: team.privateKeyPem, keyId: team.keyId, issuerId: team.issuerId }
      : {
          keyFile: JSON.stringify({
            client_email: service.clientEmail,
            private_key: service.privateKeyPem,
          }),
        };
  const loadStores = async () => ({ appstore: {}, googleplay: {} }) as never;
  const credential = await act({ ...deps, loadStores }, addCredential, {
    ...{ workspaceId, store: key.store, name: "Ours" },
    ...account,
  });
  const now = clock.now();
  const id = uuidV7(now);
  const listing = await database.ensureListing({
    ...{ ...key, id, workspaceId, credentialId: credential.id, now },
  });
  const app = { id: uuidV7(now), workspaceId, listingId: listing.id, name: null };
  await database.insertApp({ ...app, countries: ["us"], languages: ["en"], addedAt: now });
  const saved = await database.findApp({ id: app.id, workspaceId });
  return { workspaceId, listing, app: saved ?? failNow() };
}
