-- Topics that a workspace defines by phrases of its own. Reviews are shared between workspaces, so what these topics
-- find is kept beside the reviews: by the topic, which belongs to one workspace, and by its app.
create table own_topics (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null,
  phrases text[] not null,
  -- Raised by every change of what it finds: stored reviews are read again then.
  revision integer not null default 1,
  created_at timestamptz not null,
  unique (workspace_id, name)
);

-- Which reviews have one, with what pages are filtered by, as in review_topics. Ids of reviews are the same in every
-- listing of an app, so a private copy of a listing loses nothing.
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
