-- What a provider of the operator's choice is asked about reviews, and what came of it.

create table provider_jobs (
  listing_id uuid not null,
  review_id uuid not null,
  kind text not null check (kind in ('translate', 'analyse')),
  -- Of what is asked about: an edited review is another job, and the earlier one goes on.
  content_hash bytea not null,
  language text not null,
  rating smallint not null,
  title text,
  body text not null,
  -- Somebody waits for it: asked before the rest.
  is_urgent boolean not null,
  queued_at timestamptz not null,
  -- While somebody holds the lease: when it ends, so that a lost lease is due by itself.
  due_at timestamptz not null,
  attempt_count integer not null default 0,
  lease_token uuid,
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
  -- No foreign key: deliveries go in thousands, and these rows go with their job.
  delivery_id uuid not null,
  primary key (listing_id, review_id, kind, content_hash, delivery_id),
  foreign key (listing_id, review_id, kind, content_hash) references provider_jobs on delete cascade
);

-- The same text in the same language is paid for once.
create table translations (
  content_hash bytea not null,
  provider text not null,
  -- null: this provider can't translate it.
  translated_text text,
  saved_at timestamptz not null,
  primary key (content_hash, provider)
);
create index translations_by_age on translations (saved_at);

-- How each kind of provider does, for all processes that ask it.
create table provider_states (
  kind text primary key check (kind in ('translate', 'analyse')),
  provider text not null,
  -- In a row.
  failure_count integer not null default 0,
  rests_until timestamptz,
  good_at timestamptz,
  failed_at timestamptz,
  last_error text
);

-- What was asked on each UTC day; the cost is counted before the request goes out.
create table provider_days (
  kind text not null check (kind in ('translate', 'analyse')),
  day date not null,
  request_count integer not null,
  -- Characters for translations, reviews for analyses.
  cost bigint not null,
  primary key (kind, day)
);

-- null where the built-in engine said it with its shipped weights alone.
alter table reviews add column adaptation integer;
-- Who said sentiment and topics in place of the built-in engine.
alter table reviews add column analysed_by text;

-- Weights of sentiment that were trained further on the reviews kept here, one language each, and what
-- came of the last try. The language '*' is a switch for all, and its outcome says what all reviews were
-- last analysed with.
create table adaptations (
  language text primary key,
  is_enabled boolean not null default true,
  -- Of the engine it was trained for: to another one it means nothing.
  analysis_version integer not null default 0,
  -- Goes up with each that is taken; reviews name it.
  number integer not null default 0,
  -- null while the shipped weights are in use.
  weights bytea,
  taken_at timestamptz,
  tried_at timestamptz,
  -- Reviews that the last try was handed, the different texts among them, and those held out.
  review_count integer not null default 0,
  row_count integer not null default 0,
  held_out_count integer not null default 0,
  -- On the rows held out, with the shipped weights and with what is in use since.
  shipped_accuracy double precision,
  shipped_auc double precision,
  accuracy double precision,
  auc double precision,
  outcome text
);
alter table adaptations alter column weights set storage external;
