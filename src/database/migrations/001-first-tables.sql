-- The first tables: who owns what, what was collected, and what is on its way out.

create table workspaces (
  id uuid primary key,
  name text not null,
  plan text not null check (plan in ('starter', 'studio')),
  created_at timestamptz not null
);

create table api_keys (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null,
  prefix text not null,
  hash bytea not null unique,
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_by_workspace on api_keys (workspace_id);

-- Ids of the keys that secrets are sealed with. A process that lacks one of them stops at its start.
create table encryption_keys (
  id text primary key,
  added_at timestamptz not null
);

-- A sealed secret begins with a version and the id of its key.
create function sealing_key(box bytea) returns text
  language sql immutable strict as $$ select encode(substring(box from 2 for 8), 'hex') $$;

-- Whatever seals is written down in the statement that keeps the secret: no key is in use unknown.
create function note_sealing_key() returns trigger language plpgsql as $$
begin
  insert into encryption_keys (id, added_at) values (sealing_key(new.sealed_secret), now())
  on conflict do nothing;
  return new;
end $$;

-- Keys to a workspace's own accounts at the stores. Written once, never shown again.
create table credentials (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  store text not null,
  name text not null,
  -- Who it speaks for at the store (a key id, an account's address): no secret.
  subject text not null,
  -- Sealed with AES-256-GCM.
  sealed_secret bytea not null,
  created_at timestamptz not null
);
create index credentials_by_workspace on credentials (workspace_id);
create trigger credential_sealed before insert or update of sealed_secret on credentials
  for each row execute function note_sealing_key();

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
  created_at timestamptz not null,
  unique nulls not distinct (store, external_app_id, workspace_id)
);
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
  unique (workspace_id, listing_id)
);
create index apps_by_listing on apps (listing_id);

create table feeds (
  listing_id uuid not null references listings on delete cascade,
  kind text not null check (kind in ('reviews', 'ratings')),
  region text not null,
  -- When the first full pass ended; before it nothing is announced.
  baseline_at timestamptz,
  -- Date of the newest review of the last good pass.
  watermark timestamptz,
  outcome text check (outcome in ('ok', 'empty', 'unknown')),
  next_due_at timestamptz not null,
  lease_token uuid,
  leased_until timestamptz,
  checked_at timestamptz,
  good_at timestamptz,
  failure_count integer not null default 0,
  last_error text,
  page_count integer not null default 0,
  review_count integer not null default 0,
  -- Items of the last pass that were no reviews by the store's own rules.
  rejected_count integer not null default 0,
  truncated boolean not null default false,
  stop_reason text,
  -- When the last walk to the end of the list ended well, and when the next one is due.
  swept_at timestamptz,
  sweep_due_at timestamptz,
  -- How far the walk at work has come, saved with each page; null between walks.
  progress jsonb,
  -- A rating reading that was not believed yet.
  held_reading jsonb,
  primary key (listing_id, kind, region)
);
create index feeds_due on feeds (next_due_at);

create table reviews (
  listing_id uuid not null references listings on delete cascade,
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
  votes integer,
  reply_text text,
  reply_at timestamptz,
  -- null while the review is not analysed.
  analysis_version integer,
  language text,
  -- null while not analysed, and for a review without text.
  sentiment text check (sentiment in ('positive', 'neutral', 'negative', 'mixed')),
  sentiment_score real,
  clause_min real,
  clause_max real,
  topics text[] not null default '{}',
  translated_text text,
  translated_from text,
  first_seen_at timestamptz not null,
  edited_at timestamptz,
  primary key (listing_id, id)
);
create index reviews_by_date on reviews (listing_id, date, id);
-- Pages by stars, by sentiment and by both: one value of the two is merged over the few of the other,
-- which costs an ingest half of what an index for each would.
create index reviews_by_kind on reviews (listing_id, rating, coalesce(sentiment, ''), date, id);

-- Pages by topic: one narrow row for each topic of each review. Like the rollups, only the ingest
-- transaction writes it together with reviews.
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

-- What a review said before an edit.
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

-- Rollups: equal to a recount of reviews at any moment, because only the ingest transaction writes both.
create table review_days (
  listing_id uuid not null references listings on delete cascade,
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
  primary key (listing_id, day)
);

create table topic_days (
  listing_id uuid not null references listings on delete cascade,
  day date not null,
  topic text not null,
  total integer not null,
  primary key (listing_id, day, topic)
);

-- The same by ISO week (its Monday): trends read days only where a range cuts a week.
create table topic_weeks (
  listing_id uuid not null references listings on delete cascade,
  week date not null,
  topic text not null,
  total integer not null,
  primary key (listing_id, week, topic)
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

-- The last accepted requests of API keys and of addresses with failed keys, where several processes
-- share one limit. A row is rewritten with every request: room is left on its page for that.
create table rate_windows (
  key text primary key,
  -- Moments of the accepted requests that the window still holds, oldest first.
  accepted_at timestamptz[] not null,
  -- What the last statement on the row found and did, for its answer.
  granted_count integer not null,
  taken_at timestamptz not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

create table channels (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null,
  url text not null,
  -- The URL's host and port: many channels can point to one server, which has a limit of its own.
  host text not null,
  events text[] not null,
  -- null: all.
  apps uuid[],
  stars smallint[],
  topics text[],
  translate boolean not null,
  drop_threshold double precision not null,
  period_days integer not null,
  min_sample_size bigint not null,
  -- The signing secret, sealed with AES-256-GCM.
  sealed_secret bytea not null,
  created_at timestamptz not null,
  failing_since timestamptz,
  failing_reason text,
  -- Attempts without any answer in a row: the engine then probes instead of pouring.
  timeout_count integer not null default 0
);
create index channels_by_workspace on channels (workspace_id);
create trigger channel_sealed before insert or update of sealed_secret on channels
  for each row execute function note_sealing_key();

-- Which reviews were queued as review.created for which channel: only those can be updated.
create table channel_reviews (
  channel_id uuid not null references channels on delete cascade,
  review_id uuid not null,
  primary key (channel_id, review_id)
);

-- Open episodes of a rating drop: one event each, until the drop falls below half the threshold.
create table rating_episodes (
  channel_id uuid not null references channels on delete cascade,
  app_id uuid not null references apps on delete cascade,
  opened_at timestamptz not null,
  primary key (channel_id, app_id)
);

-- One narrow row per channel with work: channels are claimed first, then their deliveries.
create table channel_queue (
  channel_id uuid primary key references channels on delete cascade,
  -- Never later than the first due_at of the channel's pending deliveries; earlier is harmless.
  next_due_at timestamptz not null,
  -- Failing channels have a lane of their own, so that they can't crowd out those that answer.
  is_failing boolean not null,
  host text not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
create index channel_queue_due on channel_queue (is_failing, next_due_at);

create table deliveries (
  -- Version 7: in the order in which they were queued.
  id uuid primary key,
  channel_id uuid not null references channels on delete cascade,
  workspace_id uuid not null references workspaces on delete cascade,
  app_id uuid,
  review_id uuid,
  event text not null,
  -- Of a review.created, what the channel's filters were asked about: they can change while it waits.
  rating smallint,
  topics text[],
  body bytea not null,
  is_test boolean not null,
  status text not null check (status in ('pending', 'delivered', 'expired', 'cancelled')),
  created_at timestamptz not null,
  -- Start of the give-up window; a redelivery opens a new one.
  queued_at timestamptz not null,
  due_at timestamptz not null,
  -- First attempts and retries stand in line separately, so that neither waits behind the other.
  is_retry boolean not null default false,
  attempt_count integer not null default 0,
  -- Attempts in this give-up window.
  retry_count integer not null default 0,
  -- Not indexed, so that claiming a row touches no index.
  lease_token uuid,
  leased_until timestamptz,
  finished_at timestamptz
-- Room on each page for the claims of all its rows: a claim then touches no index.
) with (fillfactor = 40, toast_tuple_target = 128, autovacuum_vacuum_scale_factor = 0.02);
-- A body is written once and read once: out of the rows that are rewritten with every step.
alter table deliveries alter column body set storage external;
create index deliveries_pending on deliveries (channel_id, is_retry, due_at)
  where status = 'pending';
create index deliveries_by_channel on deliveries (channel_id, id desc);

create table attempts (
  delivery_id uuid not null,
  number integer not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  -- HTTP status, or null when there was no answer; reason then says why.
  status integer,
  reason text,
  answer bytea,
  primary key (delivery_id, number)
);

-- In place of a foreign key, which would look up and lock the delivery once for each attempt.
create function delete_attempts() returns trigger language plpgsql as $$
begin
  delete from attempts a using gone g where a.delivery_id = g.id;
  return null;
end $$;
create trigger attempts_go_along after delete on deliveries
  referencing old table as gone for each statement execute function delete_attempts();

-- What people and the service did to things that matter; outlives the things themselves.
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
