import { Migration } from '@mikro-orm/migrations';
import { day, indexed } from './30-search.ts';
import { asSystem } from './tenant-table.ts';

const MAX_LINES = 100;

const search = indexed({
  table: 'invoices',
  kind: 'invoice',
  text: `concat_ws(' ', 'invoice', t.number, (select title from transactions where id = t.transaction_id),
    (select note ->> 'title' from transactions x, jsonb_array_elements(x.notes) as note where x.id = t.transaction_id and note ->> 'id' = t.note_id),
    (select name from companies where id = t.company_id), ${day('due_date')})`,
  columns: ['due_date'],
  company: 't.company_id',
  named: [
    ['transactions', 'title', 'transaction_id'],
    ['companies', 'name', 'company_id'],
  ],
});

/** Invoices are found by the search, and have room for corrections of the interest of earlier ones. */
export class InvoiceSearch extends Migration {
  override up(): void {
    this.addSql(
      [
        search,
        asSystem('\nselect index_invoices(t) from invoices t;'),
        `alter table invoices drop constraint invoices_lines_check,
          add constraint invoices_lines_check check (jsonb_typeof(lines) = 'array' and jsonb_array_length(lines) between 1 and ${MAX_LINES});`,
      ].join('\n'),
    );
  }
}
