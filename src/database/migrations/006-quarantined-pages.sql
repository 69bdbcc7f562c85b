-- A page of reviews that looked wrong, until a second reading agrees or shows something else.
alter table feeds add column quarantined_page jsonb;

-- Whether a store stated the date of a review; an assumed one is replaced as soon as it does.
alter table reviews add column is_date_assumed boolean not null default false;
update reviews set is_date_assumed = true where date > first_seen_at + interval '2 days';
-- A high-water mark in the future ended every crawl at its first page.
update feeds set watermark = checked_at where watermark > checked_at;
