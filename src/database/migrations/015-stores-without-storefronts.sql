-- The words of docs/sql.md for stores without storefronts.
comment on column starpost_v1.reviews.store is 'The store''s identifier, as in the read API.';
comment on column starpost_v1.reviews.country is 'Storefront; for googleplay the detected language, and 001 for a store without storefronts.';
comment on column starpost_v1.ratings.country is 'The storefront, or 001 for a store without storefronts; null is the whole app, as imports state it.';
