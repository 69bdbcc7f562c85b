-- The date of the review when it was answered first: what came of an answer, and how long it took, count from there.
alter table review_replies add column answered_date timestamptz;
