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

-- One app in one store through one source: public (workspace_id null) or private to one workspace.
create table listings (
  id uuid primary key,
  store text not null,
  external_app_id text not null,
  workspace_id uuid references workspaces on delete cascade,
  name text,
  icon_url text,
  created_at timestamptz not null,
  unique nulls not distinct (store, external_app_id, workspace_id)
);

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
  truncated boolean not null default false,
  stop_reason text,
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
create index reviews_by_date on reviews (listing_id, date desc, id desc);
create index reviews_by_rating on reviews (listing_id, rating, date desc, id desc);
create index reviews_by_sentiment on reviews (listing_id, sentiment, date desc, id desc);

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

create table channels (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null,
  url text not null,
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
  is_failing boolean not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
create index channel_queue_due on channel_queue (is_failing, next_due_at);

create table deliveries (
  id uuid primary key,
  channel_id uuid not null references channels on delete cascade,
  workspace_id uuid not null references workspaces on delete cascade,
  app_id uuid,
  review_id uuid,
  event text not null,
  body bytea not null,
  is_test boolean not null,
  status text not null check (status in ('pending', 'delivered', 'expired', 'cancelled')),
  created_at timestamptz not null,
  -- Start of the give-up window; a redelivery opens a new one.
  queued_at timestamptz not null,
  -- While somebody holds the lease: when it ends, so that a lost lease is due by itself.
  due_at timestamptz not null,
  attempt_count integer not null default 0,
  -- Attempts in this give-up window.
  retry_count integer not null default 0,
  lease_token uuid,
  finished_at timestamptz
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create index deliveries_pending on deliveries (channel_id, due_at) where status = 'pending';
create index deliveries_by_channel on deliveries (channel_id, id desc);
create index deliveries_finished on deliveries (finished_at) where finished_at is not null;

create table attempts (
  delivery_id uuid not null references deliveries on delete cascade,
  number integer not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  -- HTTP status, or null when there was no answer; reason then says why.
  status integer,
  reason text,
  answer bytea,
  primary key (delivery_id, number)
);

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
