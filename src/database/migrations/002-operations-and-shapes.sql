-- Versions of what people change, learned shapes, analysis of earlier versions, the outcome of e-mails by recipient, and the end of
-- fine-tuning.

-- ---------------------------------------------------------------- versions
-- The time of the last change by people in milliseconds, or one more than before; not of redeliveries or health.
alter table members add column settings_version bigint not null default 0;
alter table apps add column settings_version bigint not null default 0;
alter table channels add column settings_version bigint not null default 0;
alter table saved_views add column settings_version bigint not null default 0;
alter table own_topics add column settings_version bigint not null default 0;
alter table saved_views alter column settings_version drop default;
alter table own_topics alter column settings_version drop default;

-- The API key that the actor used.
alter table audit add column key_id uuid;

-- -------------------------------------------------------------- collecting
-- When the feed was due before a user asked for it; null otherwise.
alter table feeds add column planned_due_at timestamptz;
-- A part beside the list that can't be read, in words.
alter table feeds add column missing_part text;
drop index feeds_failing;
create index feeds_failing on feeds (listing_id) where outcome = 'unknown' or missing_part is not null;

-- Shapes of store payloads that differ from those of the release. docs/shapes.md
create table learned_shapes (
  name text primary key,
  shape jsonb not null,
  state text not null check (state in ('shadow', 'proposed', 'used', 'withdrawn')),
  round_count integer not null,
  reason text not null,
  since timestamptz not null
);

-- As they were when it was replaced; null topics: an import has it, and it is analysed when it is needed.
alter table review_versions add column sentiment text;
alter table review_versions add column topics text[];
alter table review_versions add column topic_scores real[];
create index review_versions_by_date on review_versions (listing_id, date);

-- ---------------------------------------------------------------- channels
-- The last day of the newest digest; the next one begins on the day after it. null: there is none to follow.
alter table channels add column digested_to date;
-- The digest of the destination that `external_id` is valid at: ids of before are not used elsewhere.
alter table channel_reviews add column destination text;
-- Of an e-mail that some recipients have: those whom the mail server put off. null: all.
alter table pending add column recipients_left text[];

-- ---------------------------------------------------------------- analysis
-- Reviews whose sentiment came from a fine-tuning are analysed again, with the weights of the release.
update reviews set analysis_version = 0 where fine_tuning is not null;
alter table reviews drop column fine_tuning;
drop table fine_tunings;
-- Versions of the analysis engine with which a run over all stored reviews was completed.
create table analysis_runs (
  analysis_version integer primary key,
  finished_at timestamptz not null
);

-- --------------------------------------------------------------- SQL views
-- The words of docs/sql.md, which tools show.
comment on view starpost_v1.reviews is 'One row for each review of an app that the workspace follows.';
comment on column starpost_v1.reviews.app_id is 'The app, as in the read API.';
comment on column starpost_v1.reviews.store is 'appstore or googleplay.';
comment on column starpost_v1.reviews.external_app_id is 'The app''s identifier inside its store.';
comment on column starpost_v1.reviews.id is 'Stable for the life of the review.';
comment on column starpost_v1.reviews.store_review_id is 'The store''s own id; null once the review was erased.';
comment on column starpost_v1.reviews.author is 'Empty when the store names none.';
comment on column starpost_v1.reviews.rating is '1 to 5.';
comment on column starpost_v1.reviews.title is 'null for stores without review titles.';
comment on column starpost_v1.reviews.text is 'The original text.';
comment on column starpost_v1.reviews.version is 'App version; empty when the store names none.';
comment on column starpost_v1.reviews.country is 'Storefront for appstore, detected language for googleplay.';
comment on column starpost_v1.reviews.language is 'null while the review is not analysed.';
comment on column starpost_v1.reviews.date is 'The store''s date of the current version.';
comment on column starpost_v1.reviews.sentiment is 'positive, neutral, negative or mixed; null without text.';
comment on column starpost_v1.reviews.sentiment_score is 'From -1 to 1.';
comment on column starpost_v1.reviews.topics is 'Built-in topics and those of the workspace.';
comment on column starpost_v1.reviews.votes is 'Users who found it helpful.';
comment on column starpost_v1.reviews.reply_text is 'The developer''s public reply.';
comment on column starpost_v1.reviews.device is 'From the official sources of Google Play.';
comment on column starpost_v1.reviews.edited_at is 'When the last edit was noticed.';
comment on column starpost_v1.reviews.removed_at is 'Since when the store no longer shows it.';
comment on column starpost_v1.reviews.changed_at is 'The last change of anything that the read API shows.';
comment on column starpost_v1.reviews.tags is 'Of the workspace.';
comment on column starpost_v1.reviews.is_done is 'The workspace''s status.';
comment on view starpost_v1.ratings is 'One row for each app, storefront and day: all-time totals as the store showed them on that day.';
comment on column starpost_v1.ratings.country is 'The storefront; null is the whole app, as imports state it.';
comment on column starpost_v1.ratings.stars_1 is 'null where the source has no counts by star, like the next four.';
comment on view starpost_v1.trends is 'One row for each app and UTC day with reviews.';
comment on column starpost_v1.trends.reviews is 'Reviews dated on that day.';
comment on column starpost_v1.trends.stars_1 is 'Those of them with one star, and so on.';
comment on column starpost_v1.trends.positive is 'Those with this sentiment, and so on.';
comment on view starpost_v1.topics is 'One row for each app, UTC day and built-in topic.';
comment on column starpost_v1.topics.reviews is 'Reviews with the topic.';
comment on column starpost_v1.topics.positive_opinions is 'Those with a good opinion of it.';
comment on column starpost_v1.topics.negative_opinions is 'Those with a bad one.';
comment on column starpost_v1.topics.stars_lost is 'Stars below five in those with a bad one.';
