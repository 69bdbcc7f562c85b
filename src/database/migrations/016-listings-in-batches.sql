-- A listing that nobody follows any more is marked, and its rows go in batches; then the listing itself. Until then
-- another one of the same app may be made.
alter table listings add column removed_at timestamptz;
alter table listings drop constraint listings_store_external_app_id_workspace_id_key;
create unique index listings_by_source on listings (store, external_app_id, workspace_id) nulls not distinct
  where removed_at is null;
create index listings_removed on listings (removed_at) where removed_at is not null;

-- Private copies of listings that are being made in batches. No app hangs on one before it is complete.
create table listing_copies (
  listing_id uuid primary key references listings on delete cascade,
  from_id uuid not null references listings on delete cascade,
  -- Reviews up to this id are copied; null before the first batch.
  last_review_id uuid,
  -- Changes of the original up to this moment and review are copied, too, once all reviews are.
  changes_until timestamptz not null,
  changes_until_id uuid not null
);
create index listing_copies_by_original on listing_copies (from_id);
