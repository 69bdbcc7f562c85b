-- The schema, by area: accounts, collecting, reviews, rollups, work on reviews, own topics, channels, the delivery queue
-- and log, providers, the service itself. Ids are UUIDs of version 7 unless a comment says otherwise.

-- ---------------------------------------------------------------- accounts

create table workspaces (
  id uuid primary key,
  name text not null,
  plan text not null check (plan in ('starter', 'studio')),
  created_at timestamptz not null,
  -- Members without a second factor see nothing until they have one.
  requires_second_factor boolean not null default false
);

create table api_keys (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null,
  -- The first characters, by which people recognise the key.
  prefix text not null,
  -- SHA-256 of the whole key, which is stored nowhere.
  hash bytea not null unique,
  created_at timestamptz not null,
  scope text not null check (scope in ('read', 'manage', 'mcp')),
  -- null: it doesn't expire.
  ends_at timestamptz,
  last_used_at timestamptz,
  last_used_address text,
  revoked_at timestamptz
);
create index api_keys_by_workspace on api_keys (workspace_id);

-- Accepted requests of API keys by UTC day.
create table key_days (
  key_id uuid not null references api_keys on delete cascade,
  day date not null,
  request_count integer not null,
  primary key (key_id, day)
);

-- Requests of the API that named an Idempotency-Key, for a day.
create table idempotency_keys (
  api_key_id uuid not null references api_keys on delete cascade,
  name text not null,
  -- SHA-256 of method, path and body.
  request_hash bytea not null,
  used_at timestamptz not null,
  -- null until the request was answered. The answer has no secret.
  status smallint,
  answer text,
  primary key (api_key_id, name)
);
create index idempotency_keys_by_age on idempotency_keys (used_at);

-- The last accepted requests of API keys and of addresses with failed keys; all processes share these windows. Each
-- request rewrites a row, so pages keep room for that. Unlogged: a window of a minute is worthless after a crash, and
-- the WAL of a request shrinks to a sixth.
create unlogged table rate_windows (
  key text primary key,
  -- Moments of the accepted requests that the window still holds, oldest first.
  accepted_at timestamptz[] not null,
  -- The result of the last statement on the row.
  granted_count integer not null,
  taken_at timestamptz not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

create table users (
  id uuid primary key,
  -- Lower case: one user per address.
  email text not null unique,
  name text not null,
  -- scrypt, with its costs and salt; empty for users without a password, who sign in through a provider.
  password_hash text not null,
  created_at timestamptz not null,
  -- When a link that was sent to the address was used, or when the operator made the account; null: neither.
  email_confirmed_at timestamptz,
  -- The workspace that was chosen last.
  workspace_id uuid references workspaces on delete set null
);

create table members (
  workspace_id uuid not null references workspaces on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text not null check (role in ('owner', 'member', 'viewer')),
  joined_at timestamptz not null,
  primary key (workspace_id, user_id)
);
create index members_by_user on members (user_id);

create table sessions (
  id uuid primary key,
  -- SHA-256: the table alone does not permit a sign-in.
  token_hash bytea not null unique,
  user_id uuid not null references users on delete cascade,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  ends_at timestamptz not null,
  -- When the user last entered password and code in this session: dangerous actions ask for them again.
  proved_at timestamptz not null,
  address text not null,
  browser text not null
);
create index sessions_by_user on sessions (user_id);

-- Accounts at a provider of OpenID Connect that users sign in with.
create table identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users on delete cascade,
  linked_at timestamptz not null,
  primary key (issuer, subject)
);
create index identities_by_user on identities (user_id);

-- Links that sign one user in, once.
create table sign_in_links (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  ends_at timestamptz not null,
  -- Whether the session is as short as those that come from the provider.
  is_from_provider boolean not null
);

create table invitations (
  id uuid primary key,
  token_hash bytea not null unique,
  workspace_id uuid not null references workspaces on delete cascade,
  -- null: anyone with the link; `@example.com`: everyone in the domain.
  email text,
  role text not null check (role in ('owner', 'member', 'viewer')),
  invited_by uuid not null references users on delete cascade,
  created_at timestamptz not null,
  ends_at timestamptz not null
);
create index invitations_by_workspace on invitations (workspace_id);

-- Links that create the first user; using one deletes all of them.
create table setup_links (
  token_hash bytea primary key,
  ends_at timestamptz not null
);

-- Attempts to sign in, counted in periods: by account, by address, and by both.
create table login_attempts (
  key text primary key,
  attempt_count integer not null,
  ends_at timestamptz not null
);

-- Ids of the keys that secrets are encrypted with. A process that lacks one of them refuses to start.
create table encryption_keys (
  id text primary key,
  added_at timestamptz not null
);

-- A second factor at the sign-in: one-time codes of an app (TOTP), and recovery codes for a lost phone.
create table second_factors (
  -- The user's id.
  id uuid primary key references users on delete cascade,
  encrypted_secret bytea not null,
  key_id text not null references encryption_keys,
  created_at timestamptz not null,
  -- null until a first code showed that the user's app has the secret.
  confirmed_at timestamptz,
  -- The 30 seconds whose code was used last: neither it nor an older one is accepted again.
  last_step bigint not null default 0
);

create table recovery_codes (
  user_id uuid not null references second_factors on delete cascade,
  -- SHA-256; each is used once.
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

-- Keys to a workspace's own accounts at the stores. Written once, never shown again.
create table credentials (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  store text not null,
  name text not null,
  -- The account at the store (a key id, an account's address): not a secret.
  subject text not null,
  -- AES-256-GCM.
  encrypted_secret bytea not null,
  key_id text not null references encryption_keys,
  created_at timestamptz not null
);
create index credentials_by_workspace on credentials (workspace_id);

-- Actions of users and of the service on things that matter; outlives the things themselves.
create table audit (
  id uuid primary key,
  workspace_id uuid,
  at timestamptz not null,
  actor text not null,
  action text not null,
  subject text not null,
  detail jsonb not null
);
create index audit_by_workspace on audit (workspace_id, at desc);
create index audit_by_subject on audit (subject, at);

-- -------------------------------------------------------------- collecting

-- One app in one store through one source: public (workspace_id null) or private to one workspace.
create table listings (
  id uuid primary key,
  store text not null,
  external_app_id text not null,
  workspace_id uuid references workspaces on delete cascade,
  -- Reviews are read through this account instead of the public pages.
  credential_id uuid references credentials,
  name text,
  icon_url text,
  -- Version, release notes, price and so on, as the store states them.
  facts jsonb,
  created_at timestamptz not null,
  -- Raised in the transaction of every change that the read API or the dashboard shows. An answer is tagged with the
  -- versions of its listings and apps.
  version bigint not null default 0,
  changed_at timestamptz not null default now(),
  -- The storefronts or languages in which the listing has reviews. A workspace that follows all of them reads the
  -- listing as a whole; one that follows fewer reads by region.
  regions text[] not null default '{}',
  -- Set once no app uses it: its rows are deleted in batches, then the listing. Meanwhile another listing of the same
  -- app may be created.
  removed_at timestamptz
);
create unique index listings_by_source on listings (store, external_app_id, workspace_id) nulls not distinct
  where removed_at is null;
create index listings_removed on listings (removed_at) where removed_at is not null;
create index listings_by_credential on listings (credential_id) where credential_id is not null;

create table apps (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  listing_id uuid not null references listings,
  name text,
  -- Storefronts and languages that this workspace follows; the listing's feeds are their union.
  countries text[] not null,
  languages text[] not null,
  added_at timestamptz not null,
  version bigint not null default 0,
  unique (workspace_id, listing_id)
);
create index apps_by_listing on apps (listing_id);

-- The part of a listing that each workspace sees. `regions` is null where it sees all of it: its own private listing,
-- or a public one of which it follows every region. Otherwise it sees these regions only, whatever other workspaces
-- follow. `rollup_regions` are the same, as the rollups name them.
create view followed_apps as
select a.id, a.workspace_id, a.listing_id, coalesce(a.name, l.name, l.external_app_id) as name, l.store,
  l.external_app_id, coalesce(l.icon_url, '') as icon_url, a.countries, s.regions,
  coalesce(s.regions, array['']) as rollup_regions, a.version::text || '.' || l.version as version
from apps a join listings l on l.id = a.listing_id
cross join lateral (
  select case l.store when 'googleplay'
    then array(select split_part(language, '-', 1) from unnest(a.languages) language)
    else a.countries end as regions
) f
cross join lateral (
  select case when l.workspace_id is not null or l.regions <@ f.regions then null
    else array(select unnest(l.regions) intersect select unnest(f.regions) order by 1) end as regions
) s;

-- One region of a listing: which storefront or language is crawled, when it is due, and the result of the last crawl.
create table feeds (
  listing_id uuid not null references listings on delete cascade,
  kind text not null check (kind in ('reviews', 'ratings')),
  region text not null,
  -- The lane of the feed, which never changes: a worker that looks for due feeds of one lane reads no others.
  store text not null,
  is_official boolean not null,
  -- When the first full crawl ended; nothing is announced before.
  baseline_at timestamptz,
  -- Date of the newest review of the last good crawl.
  watermark timestamptz,
  outcome text check (outcome in ('ok', 'empty', 'unknown')),
  next_due_at timestamptz not null,
  -- Minutes between two crawls, as the last one left it. docs/adr/0041-quiet-lists-make-room.md
  interval_minutes integer,
  lease_token uuid,
  leased_until timestamptz,
  checked_at timestamptz,
  good_at timestamptz,
  failure_count integer not null default 0,
  last_error text,
  page_count integer not null default 0,
  review_count integer not null default 0,
  -- Items of the last crawl that are not reviews by the store's own rules.
  rejected_count integer not null default 0,
  truncated boolean not null default false,
  stop_reason text,
  -- When the last crawl to the end of the list ended well, when the next one is due, and how many pages it took.
  full_crawl_at timestamptz,
  full_crawl_due_at timestamptz,
  full_page_count integer not null default 0,
  -- How far the running crawl has come, saved with each page; null between crawls.
  checkpoint jsonb,
  -- A reading of ratings, or a page of reviews, that looked wrong, until a second reading confirms or refutes it.
  quarantined_reading jsonb,
  quarantined_page jsonb,
  -- Whether the next crawl is a long one: the rest of the lane.
  is_long boolean not null generated always as (
    kind = 'reviews' and (baseline_at is null or full_crawl_due_at is null or full_crawl_due_at <= next_due_at)
  ) stored,
  primary key (listing_id, kind, region)
);
create index feeds_due on feeds (store, is_official, is_long, next_due_at);
-- Feeds that are being crawled, or whose process ended.
create index feeds_leased on feeds (leased_until) where lease_token is not null;
create index feeds_failing on feeds (listing_id) where outcome = 'unknown';
create index feeds_quarantined on feeds (store) where quarantined_page is not null;

-- The same oddity in several feeds of a store: nothing of that kind is saved until a page passes or an operator accepts it.
create table layout_incidents (
  store text not null,
  kind text not null,
  reason text not null,
  since timestamptz not null,
  accepted_at timestamptz,
  primary key (store, kind)
);

-- The daily reading of a well-known app in each store. `fault`: what looked wrong in the page.
create table store_checks (
  store text not null,
  endpoint text not null,
  checked_at timestamptz not null,
  fault text,
  primary key (store, endpoint)
);

-- When the next request may go to a host of a store: one pace for all processes, the command line included.
create table store_hosts (
  host text primary key,
  free_at timestamptz not null
);

-- Circuit breakers of one kind of request to a host, or of an account there; closed ones have no row.
create table circuit_breakers (
  name text primary key,
  failure_count integer not null,
  -- How often it opened since the last good response.
  open_count integer not null,
  open_until timestamptz,
  -- The apps that failed since then, and the last failure in words.
  apps text[] not null default '{}',
  cause text not null default ''
);

create table snapshots (
  listing_id uuid not null references listings on delete cascade,
  -- Storefront; '' is the whole app, as imports state it.
  region text not null,
  day date not null,
  average double precision not null,
  total bigint not null,
  -- Counts of 1 to 5 stars; null when the source gives none.
  histogram bigint[] check (array_length(histogram, 1) = 5),
  captured_at timestamptz not null,
  primary key (listing_id, region, day)
);

-- Averages by day without a number of ratings, as the Play Console exports them; the region '' is the whole app.
create table rating_averages (
  listing_id uuid not null references listings on delete cascade,
  region text not null,
  day date not null,
  average double precision not null,
  primary key (listing_id, region, day)
);

-- The day of the oldest review ever seen of each version of an app: its release, estimated from reviews. It stays
-- when the review is edited.
create table app_versions (
  listing_id uuid not null references listings on delete cascade,
  version text not null,
  first_day date not null,
  primary key (listing_id, version)
);
create index app_versions_by_day on app_versions (listing_id, first_day);

-- ----------------------------------------------------------------- reviews

-- Each review as the read API shows it, from the author on; id, store and external app id come first and are known to
-- the reader of a page. A generated column is right however a review is written. Escaping and the form of moments
-- depend on no setting of a session, which the functions used here can't promise by themselves.
create function review_json(
  author text, rating smallint, title text, body text, translated_text text, translated_from text,
  version text, country text, date timestamptz, sentiment text, sentiment_score real, topics text[]
) returns text language plpgsql immutable parallel safe as $$
begin
  return '"author":' || to_json(author) || ',"rating":' || rating
    || ',"title":' || coalesce(to_json(title)::text, 'null') || ',"text":' || to_json(body)
    || ',"translatedText":' || coalesce(to_json(translated_text)::text, 'null')
    || ',"translatedFrom":' || coalesce(to_json(translated_from)::text, 'null')
    || ',"version":' || to_json(version) || ',"country":' || to_json(country)
    || ',"date":"' || to_char(date at time zone 'UTC',
      case when date = date_trunc('second', date) then 'YYYY-MM-DD"T"HH24:MI:SS"Z"'
        else 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"' end)
    || '","sentiment":' || coalesce(
      '{"label":' || to_json(sentiment) || ',"score":' || coalesce(sentiment_score::text, 'null') || '}', 'null')
    || ',"topics":' || to_json(topics) || '}';
end $$;

create table reviews (
  listing_id uuid not null references listings on delete cascade,
  -- Version 5, made of store, external app id and the store's own id: the same in every listing of the app.
  id uuid not null,
  store_review_id text not null,
  author text not null,
  rating smallint not null check (rating between 1 and 5),
  title text,
  body text not null,
  version text not null,
  country text not null,
  language_hint text,
  date timestamptz not null,
  -- An assumed date is replaced as soon as the store states one.
  is_date_assumed boolean not null default false,
  votes integer,
  reply_text text,
  reply_at timestamptz,
  -- From the official sources of Google Play.
  device text,
  os_version text,
  submitted_at timestamptz,
  -- null while the review is not analysed.
  analysis_version integer,
  -- The fine-tuning that decided; null for the shipped weights.
  fine_tuning integer,
  -- The provider that gave sentiment and topics instead of the built-in engine.
  analysis_provider text,
  language text,
  -- null while not analysed, and for a review without text.
  sentiment text check (sentiment in ('positive', 'neutral', 'negative', 'mixed')),
  sentiment_score real,
  clause_min real,
  clause_max real,
  topics text[] not null default '{}',
  -- The opinion on each topic, in the order of `topics`; null where the analysis gives none.
  topic_scores real[],
  translated_text text,
  translated_from text,
  first_seen_at timestamptz not null,
  edited_at timestamptz,
  -- When anything that the read API shows last changed: seen, edited, analysed or translated.
  changed_at timestamptz not null default clock_timestamp(),
  -- Whether a list that is known to be complete contained it, and since when such a list no longer does.
  is_listed boolean not null default false,
  removed_at timestamptz,
  json text generated always as (
    review_json(author, rating, title, body, translated_text, translated_from, version, country, date,
      sentiment, sentiment_score, topics)
  ) stored,
  primary key (listing_id, id)
);
create index reviews_by_date on reviews (listing_id, date, id);
-- Pages by stars, by sentiment and by both: one value of the two is merged over the few of the other, which costs an
-- ingest half of what an index for each would.
create index reviews_by_kind on reviews (listing_id, rating, coalesce(sentiment, ''), date, id);
create index reviews_by_region on reviews (listing_id, coalesce(language_hint, nullif(country, ''), 'und'), date, id);
create index reviews_by_change on reviews (listing_id, changed_at, id);
create index reviews_listed on reviews (listing_id, date) where is_listed and removed_at is null;

-- The moment of a change, which its transaction announces until it ends: with a shared advisory lock, whose number is
-- the second in which it began. So a reader knows a moment before which no further change can appear. 7215006 is in
-- platform/locks.ts.
create function begin_change() returns timestamptz language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock_shared(7215006, floor(extract(epoch from clock_timestamp()) - 1577836800)::integer);
  return clock_timestamp();
end $$;

-- All changes of earlier moments are committed, or never will be. The clock is read before the locks: a transaction that
-- takes one later gets a later moment.
create function changes_complete_until() returns timestamptz language plpgsql volatile as $$
declare
  started timestamptz := clock_timestamp();
  oldest bigint;
begin
  select min(l.objid::bigint) into oldest from pg_locks l
  where l.locktype = 'advisory' and l.classid = 7215006 and l.objsubid = 2
    and l.database = (select d.oid from pg_database d where d.datname = current_database());
  return least(started, to_timestamp(oldest + 1577836800));
end $$;

-- Pages by topic: one narrow row for each topic of each review. Like the rollups, only the ingest transaction writes it,
-- together with reviews.
create table review_topics (
  listing_id uuid not null references listings on delete cascade,
  topic text not null,
  rating smallint not null,
  -- '' where the review has none.
  sentiment text not null,
  date timestamptz not null,
  review_id uuid not null,
  primary key (listing_id, topic, date, review_id)
);
create index review_topics_by_kind
  on review_topics (listing_id, topic, rating, sentiment, date, review_id);

-- Reviews before their edits.
create table review_versions (
  listing_id uuid not null,
  review_id uuid not null,
  number integer not null,
  rating smallint not null,
  title text,
  body text not null,
  version text not null,
  date timestamptz not null,
  replaced_at timestamptz not null,
  primary key (listing_id, review_id, number),
  foreign key (listing_id, review_id) references reviews on delete cascade
);

-- Reviews whose content was removed because their author asked for it. While a store still shows them, they are not
-- saved again.
create table erased_reviews (
  review_id uuid primary key,
  erased_at timestamptz not null
);

-- ----------------------------------------------------------------- rollups
-- Equal to a recount of the reviews at any moment, because only the ingest transaction writes both. The region '' is the
-- whole listing.

create table review_days (
  listing_id uuid not null references listings on delete cascade,
  region text not null,
  day date not null,
  total integer not null,
  stars_1 integer not null,
  stars_2 integer not null,
  stars_3 integer not null,
  stars_4 integer not null,
  stars_5 integer not null,
  positive integer not null,
  neutral integer not null,
  negative integer not null,
  mixed integer not null,
  primary key (listing_id, region, day)
);

-- The same by week, so that a quarter of many apps is a few rows of each.
create table review_weeks (
  listing_id uuid not null references listings on delete cascade,
  region text not null,
  -- Its Monday.
  week date not null,
  total integer not null,
  stars_1 integer not null,
  stars_2 integer not null,
  stars_3 integer not null,
  stars_4 integer not null,
  stars_5 integer not null,
  positive integer not null,
  neutral integer not null,
  negative integer not null,
  mixed integer not null,
  primary key (listing_id, region, week)
);

create table topic_days (
  listing_id uuid not null references listings on delete cascade,
  region text not null,
  day date not null,
  topic text not null,
  total integer not null,
  -- Reviews with the topic by their sentiment.
  positive_reviews integer not null default 0,
  neutral_reviews integer not null default 0,
  negative_reviews integer not null default 0,
  mixed_reviews integer not null default 0,
  -- Reviews by their opinion of the topic, and stars lost (5 − rating) in those with a negative one.
  positive integer not null default 0,
  negative integer not null default 0,
  stars_lost integer not null default 0,
  primary key (listing_id, region, day, topic)
);

-- The same by ISO week (its Monday): trends read days only where a range cuts a week.
create table topic_weeks (
  listing_id uuid not null references listings on delete cascade,
  region text not null,
  week date not null,
  topic text not null,
  total integer not null,
  positive_reviews integer not null default 0,
  neutral_reviews integer not null default 0,
  negative_reviews integer not null default 0,
  mixed_reviews integer not null default 0,
  positive integer not null default 0,
  negative integer not null default 0,
  stars_lost integer not null default 0,
  primary key (listing_id, region, week, topic)
);

-- By language and by version: changes are found in these counts, at a cost of days instead of reviews.
create table facet_days (
  listing_id uuid not null references listings on delete cascade,
  region text not null,
  day date not null,
  facet text not null check (facet in ('language', 'version')),
  value text not null,
  total integer not null,
  -- The negative ones among these.
  negative integer not null,
  primary key (listing_id, region, day, facet, value)
);

-- --------------------------------------------------------- work on reviews
-- By the review's own id, which is the same in every listing of the app: an import or a new source loses nothing.

create table review_work (
  workspace_id uuid not null references workspaces on delete cascade,
  review_id uuid not null,
  tags text[] not null default '{}',
  assignee_id uuid references users on delete set null,
  is_done boolean not null default false,
  primary key (workspace_id, review_id)
);
create index review_work_by_assignee on review_work (assignee_id) where assignee_id is not null;

create table review_notes (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  review_id uuid not null,
  author_id uuid references users on delete set null,
  text text not null,
  created_at timestamptz not null
);
create index review_notes_by_review on review_notes (workspace_id, review_id, id);
create index review_notes_by_author on review_notes (author_id) where author_id is not null;

-- Addresses beside those of members that may receive e-mails of a workspace's channels, and those that unsubscribed.
create table email_recipients (
  workspace_id uuid not null references workspaces on delete cascade,
  -- In lower case.
  address text not null,
  state text not null check (state in ('invited', 'confirmed', 'unsubscribed')),
  changed_at timestamptz not null,
  primary key (workspace_id, address)
);
create index email_recipients_by_address on email_recipients (address, changed_at);

create table saved_views (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null,
  -- Search parameters of the Reviews page.
  query text not null,
  created_at timestamptz not null,
  unique (workspace_id, name)
);

-- Links by which people and feed readers without an account read one page. docs/adr/0063-links-to-one-page.md
create table shared_links (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  kind text not null check (kind in ('feed', 'view', 'overview', 'report', 'comparison')),
  -- The view that a feed or a page of reviews shows: its links end with it.
  view_id uuid references saved_views on delete cascade,
  name text not null,
  -- Search parameters of the page when the link was made: a later change of the view does not change what strangers read.
  query text not null,
  -- SHA-256 of the link's secret, which is stored nowhere.
  token_hash bytea not null unique,
  made_by uuid not null references users on delete cascade,
  made_at timestamptz not null,
  -- null: a feed that ends by hand alone.
  ends_at timestamptz check (ends_at is not null or kind = 'feed'),
  used_at timestamptz,
  -- The page of a frozen link as JSON, with the reviews that it quotes; null: the link is live.
  frozen_page text,
  review_ids uuid[] not null default '{}'
);
create index shared_links_by_workspace on shared_links (workspace_id, made_at);
create index shared_links_by_view on shared_links (view_id) where view_id is not null;
create index shared_links_by_maker on shared_links (made_by);

-- -------------------------------------------------------------- own topics
-- Reviews are shared between workspaces, so matches of a workspace's own topics are kept beside the reviews: by the
-- topic, which belongs to one workspace, and by its app.

create table own_topics (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null,
  phrases text[] not null,
  -- Raised by every change of what it finds: stored reviews are read again then.
  revision integer not null default 1,
  -- Raised by every tick; the last training had seen the ticks up to `trained_revision`.
  tick_revision integer not null default 0,
  trained_revision integer not null default 0,
  -- null: the phrases alone decide.
  weights bytea,
  -- The result of the last training: TopicTraining.
  training jsonb,
  -- Its phrases took too much work: nothing is looked for by them before.
  rests_until timestamptz,
  created_at timestamptz not null,
  unique (workspace_id, name)
);

-- Which reviews have a topic, with the columns that pages are filtered by, as in review_topics.
create table own_topic_reviews (
  topic_id uuid not null references own_topics on delete cascade,
  app_id uuid not null references apps on delete cascade,
  rating smallint not null,
  -- '' where the review has none.
  sentiment text not null,
  date timestamptz not null,
  review_id uuid not null,
  primary key (topic_id, app_id, date, review_id)
);
create index own_topic_reviews_by_kind on own_topic_reviews (topic_id, app_id, rating, sentiment, date, review_id);
create index own_topic_reviews_by_review on own_topic_reviews (app_id, review_id);

-- How far the stored reviews of an app were read for a topic, in the order of their ids.
create table own_topic_scans (
  topic_id uuid not null references own_topics on delete cascade,
  app_id uuid not null references apps on delete cascade,
  revision integer not null,
  -- null: from the beginning.
  after_id uuid,
  review_count integer not null default 0,
  is_finished boolean not null default false,
  primary key (topic_id, app_id)
);
create index own_topic_scans_by_app on own_topic_scans (app_id);
create index own_topic_scans_open on own_topic_scans (app_id) where not is_finished;

-- A person's decision whether a review has the topic. It overrides the phrases, and trains the topic's weights.
create table own_topic_ticks (
  topic_id uuid not null references own_topics on delete cascade,
  app_id uuid not null references apps on delete cascade,
  review_id uuid not null,
  is_right boolean not null,
  user_id uuid references users on delete set null,
  ticked_at timestamptz not null,
  primary key (topic_id, app_id, review_id)
);
create index own_topic_ticks_by_review on own_topic_ticks (app_id, review_id);
create index own_topic_ticks_by_user on own_topic_ticks (user_id) where user_id is not null;

-- ---------------------------------------------------------------- channels

create table channels (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  type text not null default 'webhook'
    check (type in ('webhook', 'slack', 'discord', 'teams', 'telegram', 'email', 'http', 'rss')),
  name text not null,
  -- The part of the destination that people may see: the secret part is in encrypted_secret.
  url text not null,
  -- A Telegram chat, or e-mail addresses.
  recipients text[] not null default '{}',
  -- The template of an HTTP channel: HttpRequest.
  request jsonb,
  -- The URL's host and port: many channels can point to one server, which has a limit of its own.
  host text not null,
  events text[] not null,
  -- null: all.
  apps uuid[],
  stars smallint[],
  topics text[],
  -- Further filters: search parameters of the Reviews page.
  filter text,
  -- The view whose filters apply instead, as they are at each moment.
  view_id uuid references saved_views,
  translate boolean not null,
  drop_threshold double precision not null,
  period_days integer not null,
  min_sample_size bigint not null,
  -- Nothing but tests is sent, and what would have been is left out.
  is_paused boolean not null default false,
  -- The signing secret of a webhook, or what a message of another type needs; AES-256-GCM.
  encrypted_secret bytea not null,
  key_id text not null references encryption_keys,
  created_at timestamptz not null,
  -- Raised by every edit, rotation, redelivery and cancellation. A worker that read a channel's deliveries and finds the
  -- same version right before signing knows that all of them are still wanted.
  version bigint not null default 1,
  -- A digest every day or week instead of each event. docs/adr/0031-channel-digests.md
  digest text check (digest in ('daily', 'weekly')),
  digest_at text not null default '09:00',
  time_zone text not null default 'UTC',
  -- The next one, moved on by the transaction that queues it: each is queued once.
  digest_due_at timestamptz,
  -- Finding what rose reads a month of counts, so each channel's apps are checked once an hour, by one process.
  spikes_checked_at timestamptz,
  constraint channels_one_filter check (filter is null or view_id is null),
  constraint channels_digest_due check ((digest is null) = (digest_due_at is null))
);
create index channels_by_workspace on channels (workspace_id);
create index channels_by_view on channels (view_id) where view_id is not null;
create index channels_by_digest on channels (digest_due_at) where digest_due_at is not null;

-- The secret before the last rotation: its signature is sent beside the new one until `ends_at`. The id is the channel's.
create table channel_old_secrets (
  id uuid primary key references channels on delete cascade,
  encrypted_secret bytea not null,
  key_id text not null references encryption_keys,
  ends_at timestamptz not null
);

-- The secret that the next rotation switches to: it signs nothing yet, so that receivers can be given it first.
create table channel_next_secrets (
  id uuid primary key references channels on delete cascade,
  encrypted_secret bytea not null,
  key_id text not null references encryption_keys
);

-- Health of failing channels; healthy channels have no row. It is rewritten with every batch of failures, so it is apart
-- from the channel's row, which every server of a distributed database has.
create table channel_health (
  bucket smallint not null,
  channel_id uuid not null,
  failing_since timestamptz not null,
  failing_reason text,
  -- Attempts without an answer in time, in a row: after several, the channel is only probed.
  timeout_count integer not null,
  primary key (channel_id, bucket)
) with (fillfactor = 50);

-- Alerts that were sent: one for each cause and channel that chose it. docs/adr/0035-alerts.md
create table channel_alerts (
  channel_id uuid not null references channels on delete cascade,
  -- The subject, like `storefront <app> reviews de`.
  cause text not null,
  raised_at timestamptz not null,
  -- When it was last found: one that has ended can be announced again.
  seen_at timestamptz not null,
  primary key (channel_id, cause)
);

-- Open rating drops: one event each, until the drop falls below half the threshold.
create table rating_drop_alerts (
  channel_id uuid not null references channels on delete cascade,
  app_id uuid not null references apps on delete cascade,
  opened_at timestamptz not null,
  primary key (channel_id, app_id)
);

-- Which reviews were queued as review.created for which channel: only those can be updated. Millions can belong to one
-- channel, so they are deleted in batches instead of by a foreign key.
create table channel_reviews (
  channel_id uuid not null,
  review_id uuid not null,
  bucket smallint not null default 0,
  -- Old pairs are deleted: an edit of such a review is not an event any more.
  queued_on date not null default current_date,
  -- The id that the service of an HTTP channel returned for it.
  external_id text,
  primary key (channel_id, review_id, bucket)
);
create index channel_reviews_by_day on channel_reviews using brin (queued_on) with (autosummarize = on);

-- Channels whose row is deleted and whose deliveries follow in batches.
create table deleted_channels (
  channel_id uuid primary key,
  deleted_at timestamptz not null
);

-- ---------------------------------------------------------- delivery queue
-- Deliveries are written once and never changed; those that wait have a row in a narrow table, which a success deletes;
-- one process at a time holds a channel. Why, with figures: docs/adr/0013-delivery-queue.md. Tables carry a bucket, a
-- hash of the channel, so that a distributed PostgreSQL can place them; one server has one bucket.

-- How rows are placed: always one row. The bucket of a channel is the number in the last 16 bits of its id, modulo the
-- number of buckets. docs/adr/0044-citus.md
create table distribution (
  is_only boolean primary key default true check (is_only),
  bucket_count smallint not null default 1 check (bucket_count between 1 and 1024),
  -- Whether tables are spread over the servers of a Citus.
  is_distributed boolean not null default false,
  -- Set while `starpost distribute` runs, and left by an interrupted run: foreign keys that it has to add again.
  missing_keys text[]
);
insert into distribution default values;

-- The bucket of a channel or a delivery. In TypeScript: delivery/buckets.ts.
create function bucket_of(id uuid, bucket_count integer) returns smallint language sql immutable parallel safe as $$
  select ((('x' || right(id::text, 4))::bit(16)::integer) % bucket_count)::smallint
$$;

-- Processes that deliver. A row ends with its process: it holds an advisory lock on its number and renews the end of its
-- lease; a process that finds both gone deletes the row and frees its channels.
create table delivery_workers (
  id integer generated always as identity primary key,
  leased_until timestamptz not null
);

-- One narrow row per channel with work: channels are claimed first, then their deliveries.
create table channel_queue (
  -- Without a foreign key, which on a Citus would lock all channels for each channel that queues.
  channel_id uuid not null,
  -- Never later than the first due_at of the channel's pending deliveries; earlier is harmless.
  next_due_at timestamptz not null,
  -- Failing channels have a lane of their own, so that they can't crowd out those that answer.
  is_failing boolean not null,
  host text not null,
  bucket smallint not null default 0,
  -- The process that holds the channel, a row of delivery_workers. While it is held, next_due_at is the moment since
  -- which there is something that the holder has not looked for.
  lease_owner integer,
  primary key (channel_id, bucket)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
-- Partial, so that only statements that name its condition use it: a search for one channel must not be led through all
-- of them by a plan from when there were few. A held channel without anything new is not in it.
create index channel_queue_due on channel_queue (bucket, is_failing, next_due_at)
  where next_due_at < 'infinity';

-- Deliveries that wait. Claiming changes nothing here.
create table pending (
  bucket smallint not null default 0,
  channel_id uuid not null,
  id uuid not null,
  -- First attempts and retries wait in separate lines, so that neither waits behind the other.
  is_retry boolean not null default false,
  -- Its body may still get a translation; the first attempt, or the translation, ends that.
  is_draft boolean not null default false,
  due_at timestamptz not null,
  -- Start of the give-up window; a redelivery opens a new one.
  queued_at timestamptz not null,
  attempt_count integer not null default 0,
  -- Attempts in this give-up window.
  retry_count integer not null default 0,
  primary key (channel_id, id, bucket)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
-- Partial for the same reason: it holds every row.
create index pending_by_due on pending (channel_id, is_retry, due_at, id)
  where due_at > '-infinity';
create index pending_drafts on pending (id) where is_draft;

-- ------------------------------------------------------------ delivery log
-- By days: retention drops whole partitions.

-- Written once. Only a draft's body is replaced, once, before it is read for sending.
create table deliveries (
  -- In the order in which they were queued.
  id uuid not null,
  channel_id uuid not null,
  workspace_id uuid not null,
  app_id uuid,
  review_id uuid,
  event text not null,
  -- For review.created: the values that the channel's filters were compared with: they can change while it waits.
  rating smallint,
  topics text[],
  -- Those that the body lacks.
  facts jsonb,
  body bytea not null,
  is_test boolean not null,
  created_at timestamptz not null,
  bucket smallint not null default 0,
  primary key (id, bucket)
) partition by range (id);
alter table deliveries alter column body set storage external;
create index deliveries_by_channel on deliveries (channel_id, id);

-- Deliveries that ended, but were not delivered.
create table ended_deliveries (
  bucket smallint not null default 0,
  channel_id uuid not null,
  id uuid not null,
  status text not null check (status in ('expired', 'cancelled')),
  finished_at timestamptz not null,
  attempt_count integer not null,
  primary key (channel_id, id, bucket)
) partition by range (id);

-- Failures, answers with a body, and attempts after the first one.
create table attempts (
  delivery_id uuid not null,
  -- Counts from 1.
  number integer not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  -- HTTP status, or null without an answer; reason then says why.
  status integer,
  reason text,
  answer bytea,
  bucket smallint not null default 0,
  primary key (delivery_id, number, bucket)
) partition by range (delivery_id);

-- All other attempts: delivered at the first one, without an answer worth keeping. A row for each channel of a batch of
-- outcomes; the arrays belong together.
create table delivered_pages (
  bucket smallint not null default 0,
  channel_id uuid not null,
  first_id uuid not null,
  last_id uuid not null,
  ids uuid[] not null,
  started_at timestamptz[] not null,
  durations_ms integer[] not null,
  statuses smallint[] not null
) partition by range (last_id);
create index delivered_pages_by_channel on delivered_pages (channel_id, last_id);

-- The lowest version 7 id of that moment.
create function id_floor(moment timestamptz) returns uuid language sql immutable as $$
  select (lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;

-- Makes the partitions of one day (UTC). A day is left out if rows of a clock that was wrong take its place: they are in
-- the partition for everything else.
create function add_delivery_day(day date) returns void language plpgsql as $$
declare
  parent text;
  part text;
begin
  foreach parent in array array['deliveries', 'attempts', 'delivered_pages', 'ended_deliveries'] loop
    part := parent || '_' || to_char(day, 'YYYYMMDD');
    continue when to_regclass(part) is not null;
    begin
      execute format('create table %I partition of %I for values from (%L) to (%L)', part, parent,
        id_floor(day::timestamp at time zone 'UTC'), id_floor((day + 1)::timestamp at time zone 'UTC'));
    exception when check_violation or invalid_object_definition then
      raise notice 'there is no place for %', part;
    end;
  end loop;
end $$;

-- The days up to today are one partition, the next three have their own, and the rest takes ids of other versions and of
-- clocks that were wrong.
do $$
declare
  today date := (now() at time zone 'UTC')::date;
  parent text;
begin
  foreach parent in array array['deliveries', 'attempts', 'delivered_pages', 'ended_deliveries'] loop
    execute format('create table %I partition of %I default', parent || '_rest', parent);
    execute format('create table %I partition of %I for values from (minvalue) to (%L)', parent || '_first', parent,
      id_floor((today + 1)::timestamp at time zone 'UTC'));
  end loop;
  for ahead in 1..3 loop
    perform add_delivery_day(today + ahead);
  end loop;
end $$;

-- --------------------------------------------------------------- providers

-- Requests about reviews to a provider of the operator's choice.
create table provider_jobs (
  listing_id uuid not null,
  review_id uuid not null,
  kind text not null check (kind in ('translate', 'analyse')),
  -- Hash of the text to process: an edited review is another job, and the earlier one continues.
  content_hash bytea not null,
  language text not null,
  rating smallint not null,
  title text,
  body text not null,
  -- A delivery waits for it: asked before the rest.
  is_urgent boolean not null,
  queued_at timestamptz not null,
  -- While it is leased: when the lease ends, so that a lost lease is due by itself.
  due_at timestamptz not null,
  attempt_count integer not null default 0,
  lease_token uuid,
  leased_until timestamptz,
  last_error text,
  primary key (listing_id, review_id, kind, content_hash),
  foreign key (listing_id, review_id) references reviews on delete cascade
);
create index provider_jobs_due on provider_jobs (kind, is_urgent desc, due_at);

-- Deliveries whose body is a draft until this job is done or they come due.
create table translation_waits (
  listing_id uuid not null,
  review_id uuid not null,
  kind text not null default 'translate' check (kind = 'translate'),
  content_hash bytea not null,
  -- No foreign key: deliveries are deleted in thousands, and these rows with their job.
  delivery_id uuid not null,
  primary key (listing_id, review_id, kind, content_hash, delivery_id),
  foreign key (listing_id, review_id, kind, content_hash) references provider_jobs on delete cascade
);

-- The same text in the same language is paid for once.
create table translations (
  content_hash bytea not null,
  -- Hash of the text alone: it finds the translations of an erased review in every language.
  text_hash bytea not null,
  provider text not null,
  -- null: this provider can't translate it.
  translated_text text,
  saved_at timestamptz not null,
  primary key (content_hash, provider)
);
create index translations_by_age on translations (saved_at);

-- Health of each kind of provider, for all processes that ask it.
create table provider_states (
  kind text primary key check (kind in ('translate', 'analyse')),
  provider text not null,
  -- In a row.
  failure_count integer not null default 0,
  cooldown_until timestamptz,
  good_at timestamptz,
  failed_at timestamptz,
  last_error text
);

-- Requests of each UTC day; the cost is counted before the request is sent.
create table provider_days (
  kind text not null check (kind in ('translate', 'analyse')),
  day date not null,
  request_count integer not null,
  -- Characters for translations, reviews for analyses.
  cost bigint not null,
  primary key (kind, day)
);

-- Weights of sentiment that were trained further on the reviews of this installation, one row for each language, and the
-- result of the last run. The language '*' is a switch for all, and its outcome says what all reviews were last analysed
-- with.
create table fine_tunings (
  language text primary key,
  is_enabled boolean not null default true,
  -- The engine version it was trained for: another version can't use it.
  analysis_version integer not null default 0,
  -- Raised with each one that is promoted; reviews name it.
  number integer not null default 0,
  -- null while the shipped weights are in use.
  weights bytea,
  promoted_at timestamptz,
  run_at timestamptz,
  -- Reviews given to the last run, the different texts among them, and those held out.
  review_count integer not null default 0,
  row_count integer not null default 0,
  held_out_count integer not null default 0,
  -- On the rows held out, with the shipped weights and with those in use since.
  shipped_accuracy double precision,
  shipped_auc double precision,
  accuracy double precision,
  auc double precision,
  outcome text
);
alter table fine_tunings alter column weights set storage external;

-- ------------------------------------------------------------- the service

-- The size of each table on each day, for the growth that `starpost status` shows.
create table table_sizes (
  day date not null,
  name text not null,
  bytes bigint not null,
  rows bigint not null,
  primary key (day, name)
);

-- --------------------------------------------------------------- SQL views
-- A public contract: docs/sql.md. Columns are added, and never changed or removed within a version of the schema.

-- Roles of PostgreSQL, each of which reads one workspace by these views.
create table sql_users (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null,
  role name not null unique,
  created_at timestamptz not null
);
create index sql_users_by_workspace on sql_users (workspace_id);

-- A session that holds its lock delays readers of changes.
revoke execute on function begin_change(), changes_complete_until() from public;

-- It may be left of a database whose tables were dropped.
create schema if not exists starpost_v1;

-- Views run with the rights of their owner, and know the reader by current_user. Functions of a reader see no row before
-- these conditions do (security_barrier). The apps are found first (offset 0): their regions would be computed for each review.
create view starpost_v1.reviews with (security_barrier) as
select a.id as app_id, a.name as app_name, a.store, a.external_app_id, r.id, nullif(r.store_review_id, '') as store_review_id,
  r.author, r.rating, r.title, r.body as text, r.translated_text, r.translated_from, r.version, r.country, r.language,
  r.date, r.sentiment, r.sentiment_score,
  array(
    select unnest(r.topics) union
    select t.name from own_topic_reviews o join own_topics t on t.id = o.topic_id
    where o.app_id = a.id and o.review_id = r.id and t.workspace_id = a.workspace_id
    order by 1
  ) as topics,
  r.votes, r.reply_text, r.reply_at, r.device, r.first_seen_at, r.edited_at, r.removed_at, r.changed_at,
  coalesce(w.tags, '{}') as tags, coalesce(w.is_done, false) as is_done
from sql_users u cross join lateral (select * from followed_apps f where f.workspace_id = u.workspace_id offset 0) a
join reviews r on r.listing_id = a.listing_id
  and (a.regions is null or coalesce(r.language_hint, nullif(r.country, ''), 'und') = any(a.regions))
left join review_work w on w.workspace_id = u.workspace_id and w.review_id = r.id
where u.role = current_user;

create view starpost_v1.ratings with (security_barrier) as
select a.id as app_id, a.name as app_name, a.store, a.external_app_id, s.day, nullif(s.region, '') as country, s.average, s.total,
  s.histogram[1] as stars_1, s.histogram[2] as stars_2, s.histogram[3] as stars_3, s.histogram[4] as stars_4,
  s.histogram[5] as stars_5
from sql_users u cross join lateral (select * from followed_apps f where f.workspace_id = u.workspace_id offset 0) a
join snapshots s on s.listing_id = a.listing_id and (s.region = '' or s.region = any(a.countries))
where u.role = current_user;

create view starpost_v1.trends with (security_barrier) as
select a.id as app_id, a.name as app_name, a.store, a.external_app_id, d.day, sum(d.total) as reviews,
  sum(d.stars_1) as stars_1, sum(d.stars_2) as stars_2, sum(d.stars_3) as stars_3, sum(d.stars_4) as stars_4,
  sum(d.stars_5) as stars_5, sum(d.positive) as positive, sum(d.neutral) as neutral, sum(d.negative) as negative,
  sum(d.mixed) as mixed
from sql_users u cross join lateral (select * from followed_apps f where f.workspace_id = u.workspace_id offset 0) a
join review_days d on d.listing_id = a.listing_id and d.region = any(a.rollup_regions) and d.total > 0
where u.role = current_user
group by a.id, a.name, a.store, a.external_app_id, d.day;

create view starpost_v1.topics with (security_barrier) as
select a.id as app_id, a.name as app_name, a.store, a.external_app_id, d.day, d.topic, sum(d.total) as reviews,
  sum(d.positive) as positive_opinions, sum(d.negative) as negative_opinions, sum(d.stars_lost) as stars_lost
from sql_users u cross join lateral (select * from followed_apps f where f.workspace_id = u.workspace_id offset 0) a
join topic_days d on d.listing_id = a.listing_id and d.region = any(a.rollup_regions) and d.total > 0
where u.role = current_user
group by a.id, a.name, a.store, a.external_app_id, d.day, d.topic;
