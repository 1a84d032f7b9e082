import { Migration } from '@mikro-orm/migrations';
import { currency, OF_MANAGER, OWNERS, oneOf, optional, references, table, tenantTable, text } from './tenant-table.ts';
import { ACTOR, AS_ACTOR, AS_SYSTEM } from './triggers.ts';

/** Each side is hidden with its tape, and so with its borrower. */
const sideIsVisible = (column: string): string =>
  `(${column} is null or exists (select from loan_tapes t where t.id = ${column}))`;

const pairs = tenantTable({
  name: 'duplicate_pairs',
  tenant: 'manager',
  // What the tapes say changes with each search; who decided what is the history.
  history: {
    resource: 'duplicates',
    silent: [
      ...['certainty', 'obligor', 'counted_twice', 'currency', 'found_at', 'pair_key', 'facts', 'loans'],
      ...['first_tape_id', 'first_company_id', 'second_tape_id', 'second_company_id'],
    ],
  },
  statuses: ['Open', 'Same', 'Different', 'Explained', 'Removed'],
  initialStatus: 'Open',
  columns: {
    certainty: oneOf(['certain', 'likely', 'possible']),
    obligor: optional(text()),
    counted_twice: 'numeric',
    currency: optional(currency),
    found_at: 'timestamptz not null',
    pair_key: text({ minLength: 1 }),
    facts: text({ minLength: 1 }),
    loans: "jsonb not null check (jsonb_typeof({column}) = 'array' and jsonb_array_length({column}) = 2)",
    first_tape_id: `object_id not null ${references('loan_tapes')}`,
    first_company_id: `object_id not null ${references('companies')}`,
    second_tape_id: `object_id not null ${references('loan_tapes')}`,
    second_company_id: `object_id not null ${references('companies')}`,
    reason: optional(text({ minLength: 1, maxLength: 1000 })),
    decided_by: optional(text({ minLength: 1, maxLength: 100 })),
    decided_at: 'timestamptz',
  },
  constraints: [
    'constraint duplicate_pairs_key unique (manager_id, pair_key)',
    "constraint duplicate_pairs_decided check ((status in ('Same', 'Different', 'Explained')) = (decided_by is not null))",
    'constraint duplicate_pairs_decided_at check ((decided_by is null) = (decided_at is null))',
    "constraint duplicate_pairs_explained check (status <> 'Explained' or reason is not null)",
  ],
  indexes: ['(first_tape_id)', '(second_tape_id)'],
  read: `(${OF_MANAGER}) and ${sideIsVisible('first_tape_id')} and ${sideIsVisible('second_tape_id')}`,
  write: { insert: OF_MANAGER, update: OF_MANAGER, delete: 'false' },
});

const searches = table({
  name: 'duplicate_searches',
  history: { exempt: 'It says when the book was last searched. What was found and decided is in the pairs.' },
  columns: {
    id: 'object_id primary key',
    manager_id: `object_id not null unique ${references('managers')}`,
    started_at: 'timestamptz not null',
    progress_percent: 'integer not null check ({column} between 0 and 100)',
    ended_at: 'timestamptz',
    failure: 'text',
    tapes: 'integer',
    companies: 'integer',
    loans: 'integer',
    pair_count: 'integer',
    not_compared: 'integer',
  },
  read: OF_MANAGER,
  write: { insert: OF_MANAGER, update: OF_MANAGER, delete: 'false' },
});

const OWNED = [
  ...Object.entries(OWNERS),
  ['first_tape_id', 'loanTapes'],
  ['first_company_id', 'companies'],
  ['second_tape_id', 'loanTapes'],
  ['second_company_id', 'companies'],
];

/** A pair belongs to the tapes and the borrowers of both loans, so that its history is hidden with each of them. */
const owners = `
create or replace function document_owners(collection text, document jsonb) returns text[] immutable parallel safe language sql
  return array(
    select collection || '/' || (document ->> 'id')
    union select owner.kind || '/' || (document ->> owner.name)
      from (values ${OWNED.map(([column, collection]) => `('${column}', '${collection}')`).join(', ')}) as owner (name, kind)
      where document ->> owner.name is not null and not (collection = 'funds' and owner.name = 'main_fund_id'));`;

/** A pair that nobody has decided goes with either tape. */
const withoutTape = `
create function drop_duplicate_pairs() returns trigger language plpgsql as $$
declare${ACTOR}
begin${AS_SYSTEM}
  update duplicate_pairs set status = 'Removed', version = version + 1
    where status = 'Open' and (first_tape_id = new.id or second_tape_id = new.id);${AS_ACTOR}
  return null;
end $$;
create trigger loan_tapes_duplicates after update of status on loan_tapes for each row
  when (old.status = 'Active' and new.status <> 'Active') execute function drop_duplicate_pairs();`;

/** Loans that may be on two tapes, and what was decided of them. */
export class Duplicates extends Migration {
  override up(): void {
    this.addSql([owners, pairs, searches, withoutTape].join('\n'));
  }
}
