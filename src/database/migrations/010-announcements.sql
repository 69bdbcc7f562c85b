-- The ledger of announcements has a row for each delivery that announced something to a channel, so that a cancellation
-- takes back what its delivery announced and nothing else. Rows of before have no delivery: they stay.
-- docs/webhooks.md, "What counts as announced"
alter table channel_reviews add column delivery_id uuid not null default '00000000-0000-0000-0000-000000000000';
alter table channel_reviews drop constraint channel_reviews_pkey, add primary key (channel_id, review_id, delivery_id);

-- Rating drops and the days of digests are announced as alerts are.
alter table channel_alerts rename to channel_causes;
alter table channel_causes add column delivery_id uuid not null default '00000000-0000-0000-0000-000000000000';
alter table channel_causes drop constraint channel_alerts_pkey,
  add constraint channel_causes_pkey primary key (channel_id, cause, delivery_id);
insert into channel_causes (channel_id, cause, raised_at, seen_at)
  select channel_id, 'review.rating_drop ' || app_id, opened_at, opened_at from rating_drop_alerts;
drop table rating_drop_alerts;
insert into channel_causes (channel_id, cause, raised_at, seen_at)
  select id, 'digest ' || digested_to, now(), now() from channels where digested_to is not null;
alter table channels drop column digested_to;

-- Announced by a delivery beside its review.
alter table deliveries add column causes text[];
