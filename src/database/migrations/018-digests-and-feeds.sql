-- Channels that send a digest every day or week instead of each event. docs/adr/0031-channel-digests.md.

alter table channels
  add column digest text check (digest in ('daily', 'weekly')),
  add column digest_at text not null default '09:00',
  add column time_zone text not null default 'UTC',
  -- The next one. Whoever queues it moves this on in the same transaction: each is queued once.
  add column digest_due_at timestamptz,
  add constraint channels_digest_due check ((digest is null) = (digest_due_at is null));

create index channels_by_digest on channels (digest_due_at) where digest_due_at is not null;

-- A saved view can be read as a feed by whoever has its link; of the link's secret only the hash is kept.
alter table saved_views add column feed_token_hash bytea unique;
