-- How rows are placed: one row, always. The bucket of a channel is the number in the last 16 bits of its id, modulo the
-- number of buckets; one server needs one. docs/adr/0044-citus.md
create table distribution (
  is_only boolean primary key default true check (is_only),
  bucket_count smallint not null default 1 check (bucket_count between 1 and 1024),
  -- Whether tables are spread over the servers of a Citus.
  is_distributed boolean not null default false,
  -- Set while `starpost distribute` is at work, and left by one that was interrupted: foreign keys that it has to
  -- add again at its end.
  missing_keys text[]
);
insert into distribution default values;

-- Of a channel or a delivery. In TypeScript: repositories/delivery-bucket-sql.ts.
create function bucket_of(id uuid, bucket_count integer) returns smallint language sql immutable parallel safe as $$
  select ((('x' || right(id::text, 4))::bit(16)::integer) % bucket_count)::smallint
$$;
