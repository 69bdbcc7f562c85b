-- What grows with a channel's deliveries carries the channel's bucket, and how a channel does leaves the channel's
-- row: docs/adr/0047-buckets-and-outbox.md.

alter table channel_reviews add column bucket smallint not null default 0;
alter table channel_reviews drop constraint channel_reviews_pkey;
alter table channel_reviews add primary key (channel_id, review_id, bucket);

-- A row while a channel fails. It is rewritten with every batch of failures: in the channel's row, which every server
-- of a distributed database has, that would be a commit on all of them.
create table channel_health (
  bucket smallint not null,
  channel_id uuid not null,
  failing_since timestamptz not null,
  failing_reason text,
  -- Attempts without an answer in time, in a row: several and the channel is only probed.
  timeout_count integer not null,
  primary key (channel_id, bucket)
) with (fillfactor = 50);
insert into channel_health (bucket, channel_id, failing_since, failing_reason, timeout_count)
select 0, id, failing_since, failing_reason, timeout_count from channels where failing_since is not null;
alter table channels
  drop column failing_since,
  drop column failing_reason,
  drop column timeout_count;
