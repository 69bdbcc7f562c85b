// Where a Citus has the rows of a listing: as tables of one server, its shards, beside copies of the small tables. Asked there
// by these names, a statement is one of PostgreSQL alone, whose plan is made once; Citus would plan it for each call, on
// two servers. Rows can move to another server at any time, so whoever reads shards asks in the same statement whether
// they are still there: `isHereSql`.
import { type Db, queryFirstRow } from "./query.ts";
import type { ServerAddress } from "./shard-servers.ts";

export type ListingShards = {
  /** Of the reviews: the same for all listings of one part. */
  shardId: string;
  server: ServerAddress;
  /** The name on that server of each table, and the text of each view in such names. */
  names: ReadonlyMap<string, string>;
};

/** Without shards while its rows are on their way to another server. */
export type AppPlace = { listingId: string; shards: ListingShards | null };

type AppKey = { workspaceId: string; appId: string };

/** What an app hangs on does not change for most of them, and never the part that a listing belongs to. */
const placesMax = 10_000;

export class ShardDirectory {
  readonly #db: Db;
  readonly #listingIds = new Map<string, Promise<string | null>>();
  readonly #shardIds = new Map<string, Promise<string | null>>();
  readonly #shards = new Map<string, Promise<ListingShards | null>>();

  /** @param db the coordinator */
  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * As it was known; null without such an app.
   * @throws AppError `unavailable` while the database can't be used
   */
  async find(app: AppKey): Promise<AppPlace | null> {
    const listingId = await remember(this.#listingIds, keyOf(app), () => this.#findListing(app));
    return listingId === null ? null : { listingId, shards: await this.findShards(listingId) };
  }

  /**
   * As they were known; null while they are on their way to another server.
   * @throws AppError `unavailable` while the database can't be used
   */
  async findShards(listingId: string): Promise<ListingShards | null> {
    const find = () => this.#findShard(listingId);
    const shardId = await remember(this.#shardIds, listingId, find);
    if (shardId === null) return null;
    return remember(this.#shards, shardId, () => this.#readShards(shardId));
  }

  /** The app is gone or on another listing, or its rows have moved: what is known of them is asked again. */
  forget(app: AppKey): void {
    this.#listingIds.delete(keyOf(app));
    this.forgetShards();
  }

  forgetShards(): void {
    this.#shards.clear();
  }

  async #findListing({ workspaceId, appId }: AppKey): Promise<string | null> {
    const found = await queryFirstRow<{ listingId: string }>(
      this.#db,
      "findListingOfApp",
      `select listing_id as "listingId" from apps where workspace_id = $1 and id = $2`,
      [workspaceId, appId],
    );
    return found?.listingId ?? null;
  }

  async #findShard(listingId: string): Promise<string | null> {
    const found = await queryFirstRow<{ shardId: string }>(
      this.#db,
      "findShardOfListing",
      `select get_shard_id_for_distribution_column('reviews', $1::uuid)::text as "shardId"`,
      [listingId],
    );
    return found?.shardId ?? null;
  }

  async #readShards(shardId: string): Promise<ListingShards | null> {
    const found = await queryFirstRow<ShardRow>(this.#db, "readShards", shardsText, [shardId]);
    if (!found) return null;
    const { tables, view, ...server } = found;
    const names = new Map(Object.entries(tables));
    names.set(viewName, `(${onShards(view.replace(/;\s*$/, ""), names)})`);
    return { shardId, server, names };
  }
}

const keyOf = ({ workspaceId, appId }: AppKey): string => `${workspaceId} ${appId}`;

/** Absent values and failures are not remembered: an app may be added at any time. */
function remember<Value>(
  map: Map<string, Promise<Value | null>>,
  key: string,
  read: () => Promise<Value | null>,
): Promise<Value | null> {
  const known = map.get(key);
  if (known) return known;
  const [oldest] = map.keys();
  if (oldest !== undefined && map.size >= placesMax) map.delete(oldest);
  const reading = read();
  const drop = (): void => {
    if (map.get(key) === reading) map.delete(key);
  };
  map.set(key, reading);
  reading.then((value) => value === null && drop(), drop);
  return reading;
}

type ShardRow = ServerAddress & { tables: Record<string, string>; view: string };

const viewName = "followed_apps";

// Tables of the same part, and those that every server has.
const shardsText = `select n.nodename as host, n.nodeport as port, n.groupid as "groupId", pg_get_viewdef('${viewName}'::regclass) as view,
    (select jsonb_object_agg(c.relname, shard_name(s.logicalrelid, s.shardid))
     from pg_dist_shard s join pg_dist_partition o on o.logicalrelid = s.logicalrelid
     join pg_class c on c.oid = s.logicalrelid
     where o.partmethod = 'n' and o.repmodel = 't'
       or o.colocationid = t.colocationid and s.shardminvalue = h.shardminvalue) as tables
  from pg_dist_shard h join pg_dist_partition t on t.logicalrelid = h.logicalrelid
  join pg_dist_placement p on p.shardid = h.shardid
  join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
  where h.shardid = $1::bigint`;

/** The statement in the names that its tables have on the server of these shards. */
export function onShards(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(/\b(from|join)(\s+\(*)([a-z_]+)\b/gi, (found, before, space, table) => {
    const name = names.get(table);
    return name === undefined ? found : `${before}${space}${name}`;
  });
}

/** Whether the server that is asked has these rows at the moment of the statement. */
export function isHereSql(shardId: string): string {
  return `exists (select from pg_dist_placement p where p.shardid = ${shardId}
    and p.groupid = (select groupid from pg_dist_local_group))`;
}
