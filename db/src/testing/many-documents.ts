import type { Session } from '../store.ts';
import type { TestDatabase } from './test-store.ts';

/** SQL of the id of the nth document of a kind, which `kind` (a hex digit) identifies. */
const idOf = (kind: string): string => `'${kind}' || lpad(to_hex(n), 23, '0')`;

interface Many {
  /** Id of the company that is copied. */
  like: string;
  /** The first `n`; names are "Borrower 00001" and so on. */
  from: number;
  count: number;
}

const NUMBERS = 'generate_series($2::int, $2::int + $3::int - 1) as n';

/** Creates many copies of an existing company, without any related documents. */
export async function addCompanies(session: Session, { like, from, count }: Many): Promise<void> {
  const values = [like, from, count];
  await session.query(
    `insert into entities (id, metadata, manager_id, name, formal_id, nationality)
     select ${idOf('b')}, e.metadata, e.manager_id, 'Borrower ' || lpad(n::text, 5, '0'), 'B-' || n, e.nationality
     from companies c join entities e on e.id = c.entity_id, ${NUMBERS} where c.id = $1`,
    values,
  );
  await session.query(
    `insert into companies (id, metadata, manager_id, entity_id)
     select ${idOf('c')}, metadata, manager_id, ${idOf('b')} from companies, ${NUMBERS} where id = $1`,
    values,
  );
}

const CURRENCY = `case when n % 2 = 0 then 'USD' else 'EUR' end`;

/**
 * Creates many copies of an existing borrower. Each has a mapping, a failed tape, a transaction of one note with an
 * Active contract, a borrowing base with a net of `n`, and an approved draw of `2n - 1`, in USD for even `n` and in EUR
 * for odd: an availability of `1 - n`.
 * @param command.like has a mapping and a transaction with a contract
 */
export async function addBorrowers(session: Session, command: Many): Promise<void> {
  const values = [command.like, command.from, command.count];
  await addCompanies(session, command);
  await session.query(
    `insert into mappings (id, metadata, manager_id, company_id, family_id, mapping_version, primary_currency, loan_tape_sheet_name, rules)
     select ${idOf('d')}, metadata, manager_id, ${idOf('c')}, ${idOf('d')}, 1, primary_currency, loan_tape_sheet_name, rules
     from (select * from mappings where company_id = $1 order by code desc limit 1) as one, ${NUMBERS}`,
    values,
  );
  await session.query(
    `insert into loan_tapes (id, metadata, manager_id, company_id, cut_off_date, scheduler_status, main_currency, exchange_rates,
       attachment, mapping_id, mapping_version, asset_prefix, failure)
     select ${idOf('e')}, '{"iat":"2026-10-31T00:00:00.000Z"}', manager_id, ${idOf('c')}, date '2026-10-31', 'Completed', 'USD', '{"USD":"1","EUR":"0.86"}',
       jsonb_build_object('name', 'tape ' || n || '.csv'), ${idOf('d')}, 1, 'f' || lpad(to_hex(n), 15, '0'), 'The sheet is empty.'
     from companies, ${NUMBERS} where id = $1`,
    values,
  );
  await session.query(
    `insert into transactions (id, metadata, manager_id, company_id, title, type, industries, notes)
     select ${idOf('1')}, metadata, manager_id, ${idOf('c')}, 'Facility ' || n, type, industries,
       jsonb_build_array(jsonb_build_object('id', ${idOf('2')}, 'title', 'Senior', 'mainCurrency', ${CURRENCY}, 'tranches', '[]'::jsonb, 'contracts', '[]'::jsonb,
         'operational', true, 'maxCommitments', '[]'::jsonb))
     from (select * from transactions where company_id = $1 order by code limit 1) as one, ${NUMBERS}`,
    values,
  );
  await session.query(
    `insert into contracts (id, status, metadata, manager_id, company_id, transaction_id, note_id, revision, cut_off_date, body, activated_at)
     select ${idOf('3')}, 'Active', metadata, manager_id, ${idOf('c')}, ${idOf('1')}, ${idOf('2')}, 1, cut_off_date, body, now()
     from (select * from contracts where company_id = $1 order by code limit 1) as one, ${NUMBERS}`,
    values,
  );
  await session.query(
    `insert into borrowing_bases (id, metadata, manager_id, company_id, tape_id, generation_id, transaction_id, note_id,
       contract_id, cut_off_date, currency, net_bb, first_bb, result)
     select ${idOf('4')}, metadata, manager_id, ${idOf('c')}, ${idOf('e')}, ${idOf('5')}, ${idOf('1')}, ${idOf('2')},
       ${idOf('3')}, date '2026-10-31', currency.code, n, n, jsonb_build_object(
         'totals', jsonb_build_object(
           'availability', null, 'balance', null,
           'excess', jsonb_build_object('sum', '0', 'currency', currency.code),
           'pools', jsonb_build_object('eligibleOrPerforming', jsonb_build_object('amount',
             jsonb_build_object('sum', n::text, 'currency', currency.code)))),
         'excessBreachDistribution', jsonb_build_array(jsonb_build_object('title', 'States', 'breached', true),
           jsonb_build_object('title', 'Grades', 'breached', false)),
         'warnings', '[]'::jsonb)
     from companies, ${NUMBERS} cross join lateral (select ${CURRENCY} as code) as currency
     where id = $1`,
    values,
  );
  await session.query(
    `insert into draws (id, status, metadata, manager_id, company_id, transaction_id, note_id, cut_off_date, due_date, draws)
     select ${idOf('0')}, 'Approved', metadata, manager_id, ${idOf('c')}, ${idOf('1')}, ${idOf('2')}, date '2026-11-02', date '2026-11-05',
       jsonb_build_array(jsonb_build_object('type', 'Regular', 'amounts', jsonb_build_array(
         jsonb_build_object('sum', (2 * n - 1)::text, 'currency', ${CURRENCY}))))
     from companies, ${NUMBERS} where id = $1`,
    values,
  );
}

/** Not one word for all: an index of parts of words reads every entry of a part that each name has. */
const SURNAME = `(array['Abbott','Bright','Number','Dawson','Ellis','Foster','Graham','Hughes','Irving','Jensen'])[n % 10 + 1]`;
const COUNTRY = `(array['US','GB','DE','FR','CA','CH','NL','IE','LU','SG'])[n % 10 + 1]`;

/**
 * Fills the register of one manager: `count` companies, `count` investors in groups of five, and `count`
 * users, in ten countries. Written without triggers, which would number and record each row; the counters are set after.
 */
export async function fillRegister(database: TestDatabase, { like, count }: { like: string; count: number }) {
  const entity = (kind: string, name: string) => `
    insert into entities (id, code, metadata, manager_id, name, formal_id, nationality, business, category)
    select ${idOf(kind)}, ${kind === '6' ? 0 : count} + 1000 + n, '{"iat":"2026-10-31T00:00:00.000Z"}', manager_id, '${name} ' || lpad(n::text, 5, '0'), 'R-' || n,
      jsonb_build_object('country', ${COUNTRY}, 'city', 'City ' || n % 100),
      jsonb_build_object('type', 'LLC', 'formalName', '${name} ' || n || ' LLC', 'currency', 'USD'), '["Borrower"]'
    from companies, numbers where companies.id = '${like}';`;
  const party = `metadata, manager_id from companies, numbers where companies.id = '${like}'`;
  await database.query(
    `begin; set local session_replication_role = replica;
     create temporary table numbers on commit drop as select n from generate_series(1, ${count}) as n;
     ${entity('6', 'Register')}
     ${entity('7', 'Pension')}
     insert into lp_groups (id, code, title, metadata, manager_id)
       select ${idOf('8')}, 1000 + n, 'Group ' || lpad(n::text, 5, '0'), ${party} and n % 5 = 0;
     insert into companies (id, code, entity_id, name, formal_id, country, metadata, manager_id)
       select ${idOf('9')}, 1000 + n, ${idOf('6')}, 'Register ' || lpad(n::text, 5, '0'), 'R-' || n, ${COUNTRY}, ${party};
     insert into lps (id, code, entity_id, name, formal_id, country, title, group_id, metadata, manager_id)
       select ${idOf('a')}, 1000 + n, ${idOf('7')}, 'Pension ' || lpad(n::text, 5, '0'), 'R-' || n, ${COUNTRY}, 'Pension ' || lpad(n::text, 5, '0'),
         case when n >= 5 then '8' || lpad(to_hex(n - n % 5), 23, '0') end, ${party};
     insert into users (id, code, first_name, last_name, email, type, assoc, company_id, organization, last_visited, metadata, manager_id)
       select ${idOf('f')}, 1000 + n, 'Person', ${SURNAME} || ' ' || n, 'person' || n || '@many.test', 'company',
         jsonb_build_object('company', jsonb_build_object('id', ${idOf('9')})), ${idOf('9')}, 'Register ' || lpad(n::text, 5, '0'), now(), ${party};
     delete from document_counts;
     insert into document_counts (collection, manager_id, status, count) select 'entities.category', manager_id, value, count(*)
       from entities, jsonb_array_elements_text(category) as value where status <> 'Removed' group by manager_id, value;
     ${['entities', 'companies', 'lps', 'users', 'lp_groups'].map((table) => `insert into document_counts (collection, manager_id, status, count) select '${table}', manager_id, status, count(*) from ${table} group by manager_id, status;`).join('\n')}
     update document_codes set last = last + 1000 + 2 * ${count} where collection in ('entities', 'companies', 'lps', 'users', 'lp_groups');
     commit`,
  );
  await database.query('vacuum analyze');
}
