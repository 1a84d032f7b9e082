import { Migration } from '@mikro-orm/migrations';
import { keepSilent, optional, recordAlso, references, text } from './tenant-table.ts';

/** Most amounts of a line: the principal of a distribution, its components and its purposes. */
const MOST = 121;

const list = `jsonb not null default '[]' check (jsonb_typeof({column}) = 'array' and jsonb_array_length({column}) <= ${MOST})`;

const column = (table: string, name: string, sql: string): string =>
  `alter table ${table} add column ${name} ${sql.replaceAll('{column}', name)};`;

const basis = ['contributions', 'distributions']
  .map((table) => {
    keepSilent(table, ['basis']);
    return column(table, 'basis', list);
  })
  .join('\n');

/** How each line of a call or distribution is divided over its investors. Its lines record who changed what. */
const splits = ['capital_calls', 'distribution_events'].map((table) => column(table, 'splits', list)).join('\n');

const excuses = `
${column('contributions', 'excuse_reason', optional(text({ minLength: 1, maxLength: 500 })))}
${column('contributions', 'excuse_file_id', `object_id ${references('files')}`)}
alter table contributions add constraint contributions_excuse check (excuse_reason is not null or excuse_file_id is null);
create index on contributions (excuse_file_id) where excuse_file_id is not null;
${recordAlso('contributions', ['excuse_reason', 'excuse_file_id'])}`;

/** The most that an investor takes over of what others are excused from, in percent of its own share. */
const cap = `
${column('funds', 'excuse_cap', 'numeric constraint funds_excuse_cap check ({column} between 0 and 100)')}
${recordAlso('funds', [['excuse_cap', 'numeric']])}`;

/** Where the amounts of calls and distributions come from, and what investors are excused from. */
export class OwnAmounts extends Migration {
  override up(): void {
    this.addSql([basis, splits, excuses, cap].join('\n'));
  }
}
