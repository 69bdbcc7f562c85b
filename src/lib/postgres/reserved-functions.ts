// Functions of PostgreSQL that every role may call, and by which a reader could stop or mislead the whole service: locks that
// outlive a statement, notifications, large objects and records of the write-ahead log. Only a superuser can reserve them.
import pg from "pg";

const pattern = "^(pg_(try_)?advisory_|pg_notify$|pg_logical_emit_message$|lo_|lowrite$|loread$)";

/** The statement by which a superuser reserves them for one role, in the database that it is connected to. */
export function reserveFunctionsFor(role: string): string {
  return `do $$ declare f regprocedure; begin
  for f in select oid from pg_proc where pronamespace = 'pg_catalog'::regnamespace and proname ~ '${pattern}' loop
    execute format('revoke execute on function %s from public', f);
    execute format('grant execute on function %s to %I', f, ${pg.escapeLiteral(role)});
  end loop;
end $$`;
}
