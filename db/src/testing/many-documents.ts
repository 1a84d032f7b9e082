import type { Session } from '../store.ts';

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

/**
 * Creates many copies of an existing borrower. Each has a mapping, a failed tape, a transaction of one note with an
 * Active contract, and a borrowing base with a net of `n` and an availability of `1 - n`, in USD for even `n` and in
 * EUR for odd.
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
       jsonb_build_array(jsonb_build_object('id', ${idOf('2')}, 'title', 'Senior', 'tranches', '[]'::jsonb, 'contracts', '[]'::jsonb,
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
           'availability', jsonb_build_object('sum', (1 - n)::text, 'currency', currency.code), 'balance', null,
           'excess', jsonb_build_object('sum', '0', 'currency', currency.code),
           'pools', jsonb_build_object('eligibleOrPerforming', jsonb_build_object('amount',
             jsonb_build_object('sum', n::text, 'currency', currency.code)))),
         'excessBreachDistribution', jsonb_build_array(jsonb_build_object('title', 'States', 'breached', true),
           jsonb_build_object('title', 'Grades', 'breached', false)),
         'warnings', '[]'::jsonb)
     from companies, ${NUMBERS} cross join lateral (select case when n % 2 = 0 then 'USD' else 'EUR' end as code) as currency
     where id = $1`,
    values,
  );
}
