-- What the official sources of Google Play tell of a review beside it.
alter table reviews add column device text, add column os_version text, add column submitted_at timestamptz;

-- A list that is known to hold every review had this one, and since when such a list no longer does.
alter table reviews add column is_listed boolean not null default false, add column removed_at timestamptz;
create index reviews_listed on reviews (listing_id, date) where is_listed and removed_at is null;

-- Version, release notes, price and so on, as the store tells them of the app.
alter table listings add column facts jsonb;

-- Averages by day without a number of ratings, as the Play Console exports them; the region '' is the whole app.
create table rating_averages (
  listing_id uuid not null references listings on delete cascade,
  region text not null,
  day date not null,
  average double precision not null,
  primary key (listing_id, region, day)
);
