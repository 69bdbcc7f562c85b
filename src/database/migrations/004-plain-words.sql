-- Tables and columns get the names that the code uses, and the code writes the id of the key that a secret
-- is encrypted with: no function of the database knows the format of an encrypted secret any more.

alter table sign_in_tries rename to login_attempts;
alter table login_attempts rename column try_count to attempt_count;

alter table adaptations rename to fine_tunings;
alter table fine_tunings rename column taken_at to promoted_at;
alter table fine_tunings rename column tried_at to run_at;
alter table reviews rename column adaptation to fine_tuning;
alter table reviews rename column analysed_by to analysis_provider;

alter table rating_episodes rename to rating_drop_alerts;

alter table provider_states rename column rests_until to cooldown_until;

alter table feeds rename column held_reading to quarantined_reading;
alter table feeds rename column swept_at to full_crawl_at;
alter table feeds rename column sweep_due_at to full_crawl_due_at;
alter table feeds rename column progress to checkpoint;
-- A crawl that was interrupted goes on where it was.
update feeds set checkpoint = checkpoint - 'isSweep' - 'holeCount'
  || jsonb_build_object('isFullCrawl', checkpoint -> 'isSweep', 'gapCount', checkpoint -> 'holeCount')
where checkpoint is not null;

-- The lease of a job is what it is elsewhere: a token, and until when it holds.
alter table provider_jobs add column leased_until timestamptz;
update provider_jobs set leased_until = due_at where lease_token is not null;

-- Registered already by the triggers that go; a secret without its key would be found here, not later.
alter table channels rename column sealed_secret to encrypted_secret;
alter table channels add column key_id text references encryption_keys;
update channels set key_id = sealing_key(encrypted_secret);
alter table channels alter column key_id set not null;
alter table credentials rename column sealed_secret to encrypted_secret;
alter table credentials add column key_id text references encryption_keys;
update credentials set key_id = sealing_key(encrypted_secret);
alter table credentials alter column key_id set not null;

drop trigger channel_sealed on channels;
drop trigger credential_sealed on credentials;
drop function note_sealing_key();
drop function sealing_key(bytea);
