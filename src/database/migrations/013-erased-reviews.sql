-- Reviews whose content was removed because their author asked for it. A store may go on showing them: they are
-- not saved again.
create table erased_reviews (
  -- Made of store, app and the store's own id, so it is the same in every listing.
  review_id uuid primary key,
  erased_at timestamptz not null
);
