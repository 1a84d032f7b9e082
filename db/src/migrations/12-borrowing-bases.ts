import { Migration } from '@mikro-orm/migrations';
import { currency, object, references, tenantTable } from './tenant-table.ts';

/** An amount of the result's totals; null if it is not recorded. */
const totalOf = (name: string) => `jsonb generated always as (nullif(result #> '{totals,${name}}', 'null')) stored`;
const everyOf = (path: string) => `jsonb generated always as (jsonb_path_query_array(result, '${path}')) stored`;

const borrowingBases = tenantTable({
  name: 'borrowing_bases',
  tenant: 'company',
  // The result is calculated; its figures are recorded.
  history: { resource: 'borrowingBases', silent: ['result'] },
  columns: {
    tape_id: 'object_id not null',
    generation_id: 'object_id not null',
    transaction_id: 'object_id not null',
    note_id: 'object_id not null',
    contract_id: 'object_id not null',
    cut_off_date: 'date not null',
    currency,
    net_bb: 'numeric not null',
    first_bb: 'numeric not null',
    result: object,
    result_key: 'text',
    // Generated from the result and stored with it: a result is large, and a dashboard shows these for every note.
    balance: totalOf('balance'),
    commitments: totalOf('commitments'),
    availability: totalOf('availability'),
    breaches: everyOf('$.excessBreachDistribution[*] ? (@.breached == true).title'),
    warnings: everyOf('$.warnings[*].message'),
  },
  constraints: [
    'unique (tape_id, contract_id)',
    `foreign key (tape_id, company_id) ${references('loan_tapes', 'id, company_id')}`,
    `foreign key (transaction_id, company_id) ${references('transactions', 'id, company_id')}`,
    `constraint borrowing_bases_contract foreign key (contract_id, company_id, transaction_id, note_id)
      ${references('contracts', 'id, company_id, transaction_id, note_id')}`,
  ],
  indexes: ['(note_id, cut_off_date)'],
});

/** Borrowing bases, one per tape and contract. */
export class BorrowingBases extends Migration {
  override up(): void {
    this.addSql(borrowingBases);
  }
}
