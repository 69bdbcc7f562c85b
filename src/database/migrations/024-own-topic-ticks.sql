-- What people said of reviews that have, or lack, one of their own topics. It holds for the review whatever the
-- phrases find, and teaches the topic's weights.
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

alter table own_topics
  -- Raised by every tick; what was trained last had seen the ticks up to this one.
  add column tick_revision integer not null default 0,
  add column trained_revision integer not null default 0,
  -- null: the phrases alone decide.
  add column weights bytea,
  -- How the last training ended: TopicTraining.
  add column training jsonb;
