-- Copies of listings are made in the order of dates, because reviews of one day share the rows of the rollups. A copy
-- that is being made begins anew, and replaces what it has.
alter table listing_copies drop column last_review_id, add column last_date timestamptz, add column last_id uuid;
