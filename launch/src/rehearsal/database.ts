import { escapeIdentifier, escapeLiteral } from 'pg';
import { asSuperuser, type Cluster } from '../postgres/cluster.ts';
import { ensure } from './steps.ts';

const DATABASE = 'tapeline';

/**
 * Everything that migrations define, as sorted lines. What is made again from PostgreSQL's own words for it can have fewer
 * parentheses, so these don't count in functions and triggers.
 */
export function describeSchema(cluster: Cluster): Promise<string[]> {
  const own = `n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg_toast%' and n.nspname not like 'pg_temp%'`;
  return asSuperuser(cluster, DATABASE, async (client) => {
    const { rows } = await client.query<{ line: string }>(`
      select format('column %s.%s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid)) as line
        from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
        left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where ${own} and c.relkind in ('r', 'p', 'v', 'm') and a.attnum > 0 and not a.attisdropped
      union all select format('constraint %s.%s %s', conrelid::regclass, conname, pg_get_constraintdef(t.oid))
        from pg_constraint t join pg_namespace n on n.oid = t.connamespace where ${own} and contype <> 'n'
      union all select format('index %s', indexdef) from pg_indexes join pg_namespace n on n.nspname = schemaname where ${own}
      union all select format('trigger %s', translate(pg_get_triggerdef(t.oid), '()', '')) from pg_trigger t where not tgisinternal
      union all select format('policy %s.%s %s %s %s %s', tablename, policyname, cmd, roles, qual, with_check) from pg_policies
      union all select format('function %s %s', p.oid::regprocedure, md5(translate(pg_get_functiondef(p.oid), '()', '')))
        from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ${own} and prokind in ('f', 'p')
          and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
      union all select format('rights %s %s rls %s %s', c.relname, coalesce(c.relacl, acldefault('r', c.relowner)), c.relrowsecurity, c.relforcerowsecurity)
        from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${own} and c.relkind in ('r', 'p', 'v', 'm')
      order by 1`);
    return rows.map(({ line }) => line);
  });
}

export function countRows(cluster: Cluster): Promise<Map<string, number>> {
  return asSuperuser(cluster, DATABASE, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public'`,
    );
    const counts = tables.map(
      ({ name }) => `select ${escapeLiteral(name)} as name, count(*) from ${escapeIdentifier(name)}`,
    );
    const { rows } = await client.query<{ name: string; count: string }>(counts.join(' union all '));
    return new Map(rows.map(({ name, count }) => [name, Number(count)]));
  });
}

/** @throws Error that names the lines which only one of both has */
export function expectSameLines(expected: readonly string[], found: readonly string[], what: string): void {
  const [want, have] = [new Set(expected), new Set(found)];
  const missing = expected.filter((line) => !have.has(line));
  const extra = found.filter((line) => !want.has(line));
  const lines = [...missing.map((line) => `missing: ${line}`), ...extra.map((line) => `extra: ${line}`)];
  ensure(lines.length === 0, `${what}:\n${lines.slice(0, 40).join('\n')}`);
}
