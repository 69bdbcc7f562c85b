// Functions that every role of PostgreSQL may call by default, and by which a SQL user could stop the service: advisory
// locks, large objects, notifications, messages in the log of changes, and anonymous code. Only a superuser can take
// them away.

/** Names of functions in pg_catalog, as a regular expression of PostgreSQL. */
const names = "^(pg_(try_)?advisory_|lo_|lo(read|write)$|pg_notify$|pg_logical_emit_message$)";

const openFunctions = `from pg_proc
    where pronamespace = 'pg_catalog'::regnamespace and proname ~ '${names}'
      and has_function_privilege('public', oid, 'execute')`;

/**
 * Takes them from all roles but the owner of the database; a superuser runs it in that database. It changes nothing when
 * it is run again. docs/sql.md shows it to operators.
 *
 * @param owner a name of a role that needs no quotes
 */
export function closeDangerousFunctions(owner: string): string {
  return `do $$
declare
  open_function regprocedure;
begin
  for open_function in select oid::regprocedure ${openFunctions}
  loop
    execute format('grant execute on function %s to ${owner}', open_function);
    execute format('revoke execute on function %s from public', open_function);
  end loop;
  if has_language_privilege('public', 'plpgsql', 'usage') then
    grant usage on language plpgsql to ${owner};
    revoke usage on language plpgsql from public;
  end if;
  if not has_parameter_privilege('${owner}', 'temp_file_limit', 'set') then
    grant set on parameter temp_file_limit to ${owner};
  end if;
end $$;`;
}

/** A condition of SQL: whether any role can call one of them. */
export const areFunctionsOpen = `exists (select ${openFunctions})
    or has_language_privilege('public', 'plpgsql', 'usage')`;
