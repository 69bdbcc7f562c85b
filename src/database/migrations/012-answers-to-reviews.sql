-- Answers to reviews: of each workspace and review the text that people sent last, and what the store was seen to have.
create table review_replies (
  workspace_id uuid not null references workspaces on delete cascade,
  review_id uuid not null,
  app_id uuid not null references apps on delete cascade,
  -- none, sending, waiting, published, refused, withdrawn or elsewhere.
  state text not null,
  -- Why it is in that state, in words.
  reason text,
  -- A text that was not sent yet.
  draft text,
  -- The text that was sent last, and the public answer that its author saw and replaces.
  text text,
  replaces text,
  -- Whether 'sending' withdraws the answer in place of publishing one.
  is_withdrawal boolean not null default false,
  author_id uuid references users on delete set null,
  author_name text,
  sent_at timestamptz,
  -- The last text of ours that the store took, and when first for this review.
  published_text text,
  published_at timestamptz,
  -- The store's answer when it was last read; without `checked_at` it never was.
  store_text text,
  store_at timestamptz,
  checked_at timestamptz,
  -- The review as it was when it was answered.
  answered_rating smallint,
  answered_edit timestamptz,
  -- When the worker looks at it next.
  due_at timestamptz,
  failure_count integer not null default 0,
  -- Set before a request is sent, until the store is known to have taken it or not.
  attempted_at timestamptz,
  lease_id uuid,
  lease_until timestamptz,
  settings_version bigint not null default 0,
  primary key (workspace_id, review_id)
);
create index review_replies_due on review_replies (due_at) where due_at is not null;
create index review_replies_by_review on review_replies (review_id);
create index review_replies_by_app on review_replies (app_id);

-- Answers that were sent for an app, by hour: stores have quotas.
create table reply_hours (
  store text not null,
  external_app_id text not null,
  hour timestamptz not null,
  count integer not null,
  primary key (store, external_app_id, hour)
);

create table reply_templates (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null,
  text text not null,
  -- It describes how drafts of a language model sound.
  is_tone boolean not null default false,
  created_at timestamptz not null,
  settings_version bigint not null default 0,
  unique (workspace_id, name)
);
