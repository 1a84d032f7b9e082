import type { Client } from 'pg';

export const MANAGER_ID = 'b'.repeat(24);
const OTHER_ID = 'c'.repeat(24);

const FIRST = ['Alder', 'Birch', 'Cedar', 'Dover', 'Elm', 'Fjord', 'Grove', 'Harbor', 'Iris', 'Juniper'];
const SECOND = ['Bridge', 'Creek', 'Field', 'Gate', 'Hill', 'Lake', 'Meadow', 'Point', 'Ridge', 'Stone'];
const THIRD = [
  'Capital',
  'Credit',
  'Finance',
  'Holdings',
  'Income',
  'Lending',
  'Partners',
  'Pension',
  'Trust',
  'Yield',
];

const names = (list: readonly string[]): string => `(array[${list.map((name) => `'${name}'`).join(', ')}])`;
/** SQL of the name of the document with number `n`: three words that others share, and a number of its own. */
const NAME = `${names(FIRST)}[n % 10 + 1] || ${names(SECOND)}[n / 10 % 10 + 1] || ' ' || ${names(THIRD)}[n / 100 % 10 + 1] || ' ' || n`;
const id = (prefix: string): string => `'${prefix}' || lpad(to_hex(n), 22, '0')`;

/** Fills the collections and the plain tables with the same documents. @returns the seconds that indexing took */
export async function fillPortfolio(
  client: Client,
  { documents, assets }: { documents: number; assets: number },
): Promise<number> {
  const part = Math.floor(documents / 5);
  const rows = `from generate_series(1, ${part}) as n`;
  const owner = `case when n % 10 = 0 then '${OTHER_ID}' else '${MANAGER_ID}' end`;
  // Without the triggers that record changes: only the search is measured.
  await client.query(`set session_replication_role = replica`);
  await client.query(`
    insert into managers (id, code, entity_id, name, domains) values
      ('${MANAGER_ID}', 1, '${MANAGER_ID}', 'Marlow Capital', '[]'), ('${OTHER_ID}', 2, '${OTHER_ID}', 'Other Capital', '[]');
    insert into entities (id, code, manager_id, name, formal_id, nationality)
      select ${id('e1')}, n, ${owner}, ${NAME}, 'F-' || n, '{"country": "US"}' ${rows};
    insert into companies (id, code, manager_id, entity_id, name)
      select ${id('d1')}, n, ${owner}, ${id('e1')}, ${NAME} ${rows};
    insert into lps (id, code, manager_id, entity_id, title, name)
      select ${id('f1')}, n, ${owner}, ${id('e1')}, ${NAME}, ${NAME} ${rows};
    insert into funds (id, code, manager_id, title, type, strategy, currency, target_size, hard_cap)
      select ${id('a1')}, n, ${owner}, ${NAME}, 'SMA', 'ABL', 'USD', 1, 1 ${rows};
    insert into service_providers (id, code, manager_id, title, type, entity_ids)
      select ${id('a2')}, n, ${owner}, ${NAME}, 'Auditor', '{}' ${rows};`);
  const started = performance.now();
  await client.query(`
    select count(index_entities(t)) from entities t; select count(index_companies(t)) from companies t; select count(index_lps(t)) from lps t;
    select count(index_funds(t)) from funds t; select count(index_service_providers(t)) from service_providers t;
    insert into asset_ids (manager_id, company_id, key, asset_id)
      select '${MANAGER_ID}', 'd1' || lpad(to_hex(n % 10 + 1), 22, '0'), 'nw-' || lpad(n::text, 8, '0'), 'NW-' || lpad(n::text, 8, '0')
      from generate_series(1, ${assets}) as n;`);
  const seconds = (performance.now() - started) / 1000;
  await client.query(`
    create table bare_documents as
      select 'entity' as kind, id::text, name as title, formal_id as detail from entities
      union all select 'company', id, name, formal_id from companies union all select 'investor', id, title, name from lps
      union all select 'fund', id, title, type from funds union all select 'serviceProvider', id, title, type from service_providers;
    alter table bare_documents add primary key (id);
    create table bare_words as select word, document_id, line from search_words where manager_id = '${MANAGER_ID}';
    create index on bare_words (word);
    create table bare_assets as select company_id::text, key, asset_id from asset_ids;
    create index on bare_assets (key);`);
  await client.query('vacuum analyze');
  await client.query('set session_replication_role = origin');
  return seconds;
}

/** Searches as they are typed: starts of words, two words, a whole name, and the start of an asset's id. */
export function queriesOf(round: number, count: number, documents: number): { text: string; expected: string }[] {
  return Array.from({ length: count }, (_, index) => {
    const n = ((round * count + index) * 7_919) % (documents / 5 - 10);
    // Every tenth document belongs to another tenant.
    const number = n % 10 === 0 ? n + 1 : n;
    const first = FIRST[number % 10] ?? '';
    const second = SECOND[Math.floor(number / 10) % 10] ?? '';
    const third = THIRD[Math.floor(number / 100) % 10] ?? '';
    if (index % 4 === 0) return { text: `${first}${second}`.slice(0, 3 + (index % 5)), expected: first };
    if (index % 4 === 1) return { text: `${third} ${first}${second}`, expected: `${first}${second} ${third}` };
    if (index % 4 === 2) return { text: `${number} ${first}`, expected: ` ${number}` };
    const asset = `NW-${String(number).padStart(8, '0')}`;
    return { text: asset, expected: asset };
  });
}
