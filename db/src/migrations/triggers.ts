/** Parts of the SQL of triggers that several tables share. */

/** Declares who acts, for a function in which the system acts for a while: it sees what the actor may not see. */
export const ACTOR = `
  actor text := coalesce(current_setting('tapeline.actor_type', true), '');
  blocked text := coalesce(current_setting('tapeline.blocked', true), '');`;
export const AS_SYSTEM = `
  perform set_config('tapeline.actor_type', 'system', true), set_config('tapeline.blocked', '', true);`;
export const AS_ACTOR = `
  perform set_config('tapeline.actor_type', actor, true), set_config('tapeline.blocked', blocked, true);`;

/** The beginning of a function in which the system acts; before its end, `AS_ACTOR` makes it the actor's again. */
export const SYSTEM_ACTS = `
declare${ACTOR}
begin${AS_SYSTEM}`;

/**
 * Triggers that run once for each statement, whatever it does: an import writes thousands of rows with one. Triggers with
 * transition tables (`added`, `gone`) cannot name columns, so those on updates compare the rows themselves.
 */
export const onStatement = (table: string, name: string, body: string): string => `
create trigger ${table}_${name}_added after insert on ${table}
  referencing new table as added for each statement execute function ${body}();
create trigger ${table}_${name}_gone after delete on ${table}
  referencing old table as gone for each statement execute function ${body}();
create trigger ${table}_${name}_changed after update on ${table}
  referencing old table as gone new table as added for each statement execute function ${body}();`;

/** PostgreSQL takes payloads of up to 8,000 bytes; an id and its comma are 25. */
const IDS_PER_PAYLOAD = 300;

/** A function of triggers that sends the distinct values of a column of the changed rows, many in one message. */
export const announcing = (name: string, channel: string, column: string): string => `
create function ${name}() returns trigger language plpgsql as $$ begin
  perform pg_notify('${channel}', string_agg(id, ',')) from (
    select id, (row_number() over () - 1) / ${IDS_PER_PAYLOAD} as part
    from (select distinct ${column}::text as id from changed) found
  ) parts group by part;
  return null;
end $$;`;
