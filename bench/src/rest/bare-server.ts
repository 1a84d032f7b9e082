import { createServer } from 'node:http';
import { exactNumber } from '@tapeline/domain/wire/json.ts';
import pg from 'pg';

/**
 * The floor: `node:http` and `pg` and nothing else. It asks nobody who calls, shows one manager's documents by a condition
 * written into its queries, takes a limit and no other parameter, and counts nothing.
 */
const [databaseUrl, managerId, poolSize] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: Number(poolSize) });
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

type Row = Record<string, unknown> & { metadata: Record<string, unknown> };

const baseOf = ({ id, status, code, version, metadata, manager_id }: Row) => ({
  id,
  status,
  code,
  version,
  metadata,
  assoc: { manager: { id: manager_id } },
});
const exact = (sum: unknown, currency: unknown) => ({ sum: exactNumber(String(sum)), currency });

const LISTS: Readonly<Record<string, { sql: string; toBody: (row: Row) => unknown }>> = {
  '/crud/companies': {
    sql: `select c.id, c.status, c.code, c.version, c.metadata, c.manager_id, c.domains, c.external_code,
        e.id as e_id, e.status as e_status, e.code as e_code, e.version as e_version, e.metadata as e_metadata, e.name,
        e.formal_id, e.nationality, e.business, e.person, e.description, e.domains as e_domains, e.category, e.contacts, e.banks
      from companies c join entities e on e.id = c.entity_id
      where c.manager_id = $1 and c.status <> 'Removed' order by c.id desc limit $2`,
    toBody: (row) => ({
      ...baseOf(row),
      entity: {
        id: row.e_id,
        status: row.e_status,
        code: row.e_code,
        version: row.e_version,
        metadata: row.e_metadata,
        assoc: { manager: { id: row.manager_id } },
        name: row.name,
        formalId: row.formal_id,
        nationality: row.nationality,
        business: row.business,
        person: row.person,
        description: row.description,
        domains: row.e_domains,
        category: row.category,
        contacts: row.contacts,
        banks: row.banks,
      },
      domains: row.domains,
      externalCode: row.external_code,
    }),
  },
  '/crud/LPCommitments': {
    sql: `select c.id, c.status, c.code, c.version, c.metadata, c.manager_id, c.fund_id, c.investor_lp_id, c.investor_kind, c.class,
        c.closing_date, c.currency, c.max_commitment, c.active_commitment, c.fees, c.side_letters, c.deltas,
        round(100 * c.active_commitment / sum(c.active_commitment) over (partition by c.fund_id), 8)::text as percentage,
        lps.title as investor_title, lps.name as investor_name, lps.code as investor_code
      from lp_commitments c left join lps on lps.id = c.investor_lp_id
      where c.manager_id = $1 and c.status <> 'Removed' order by c.id desc limit $2`,
    toBody: (row) => ({
      ...baseOf(row),
      fund: row.fund_id,
      investor: {
        id: row.investor_lp_id,
        kind: row.investor_kind,
        title: row.investor_title,
        formalName: row.investor_name,
        code: row.investor_code,
      },
      Class: row.class,
      closingDate: row.closing_date,
      maxCommitment: exact(row.max_commitment, row.currency),
      activeCommitment: exact(row.active_commitment, row.currency),
      percentage: exactNumber(String(row.percentage)),
      fees: row.fees,
      sideLetters: row.side_letters,
      deltas: row.deltas,
    }),
  },
};

const server = createServer(async (request, response) => {
  const [path = '', search] = (request.url ?? '').split('?');
  const list = LISTS[path];
  if (!list) return void response.writeHead(404).end();
  const { rows } = await pool.query<Row>(list.sql, [managerId, Number(new URLSearchParams(search).get('limit'))]);
  const body = JSON.stringify(rows.map(list.toBody));
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
});
server.keepAliveTimeout = 65_000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify(server.address())}\n`);
});
// Ends with the bench, however that ends.
process.stdin.on('end', () => process.exit()).resume();
