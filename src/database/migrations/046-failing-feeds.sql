-- What the operator is told of feeds that fail, without looking at those that don't.
create index feeds_failing on feeds (listing_id) where outcome = 'unknown';
