-- The hash of the text alone, by which the translations of an erased review are found in every language.
alter table translations add column text_hash bytea not null default '';
alter table translations alter column text_hash drop default;
