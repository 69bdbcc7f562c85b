-- What an ingest queued where its listing and the channels' buckets are on several servers: it stands beside the
-- reviews until it is moved to the buckets. On one server nothing is ever in it: docs/adr/0047-buckets-and-outbox.md.
create table outbox (
  listing_id uuid not null,
  id uuid not null,
  -- By the database's clock: rows of a listing are moved in this order.
  queued_at timestamptz not null,
  -- By the clock of the ingest, of which all of its deliveries are.
  created_at timestamptz not null,
  -- An array of deliveries as they are queued, with their final ids and bodies.
  payload jsonb not null,
  primary key (listing_id, id)
);
create index outbox_by_age on outbox (queued_at);
