import { Migration } from '@mikro-orm/migrations';
import { GRID_VIEW_TITLE, MAX_VIEW_LETTERS } from './as-landed.ts';
import { documentTable, named, references, SYSTEM_ONLY, text } from './tenant-table.ts';

// A person's own, in the tenant that the person acted for.
const OWN = `(user_id = (select actor_user()) and manager_id is not distinct from (select actor_tenant()))`;

const gridViews = documentTable({
  name: 'grid_views',
  history: { exempt: 'A view is a setting of its user.' },
  columns: {
    manager_id: `object_id ${references('managers')}`,
    user_id: `object_id not null references users (id) on delete cascade deferrable initially deferred`,
    // Which grids there are is said by the descriptors of the collections, and checked by the schema of a view.
    grid: "text not null check ({column} ~ '^[a-z]+(-[a-z]+)*$' and char_length({column}) <= 40)",
    title: text(GRID_VIEW_TITLE),
    search: `text not null check (char_length({column}) <= ${MAX_VIEW_LETTERS * 3})`,
    is_shared: 'boolean not null default false',
    is_default: 'boolean not null default false',
  },
  constraints: named('grid_views', 'title'),
  indexes: [
    `unique (user_id, coalesce(manager_id::text, ''), grid, lower(title))`,
    `unique (user_id, coalesce(manager_id::text, ''), grid) where is_default`,
    '(manager_id, grid) where is_shared',
  ],
  // The users of a manager see what their colleagues share. Borrowers and investors share nothing.
  read: `${SYSTEM_ONLY} or ${OWN} or (is_shared and manager_id = (select actor_manager()))`,
  write: `${SYSTEM_ONLY} or (${OWN} and (not is_shared or manager_id = (select actor_manager())))`,
});

/**
 * The tables that a saved filter narrows, with their columns of the fund and of the investor. The list of investors is
 * narrowed by its query: a condition here would keep lists of 50,000 from using their indexes.
 */
const NARROWED: Readonly<Record<string, { fund?: string; investor?: string }>> = {
  funds: { fund: 'id' },
  ...Object.fromEntries(
    ['lp_commitments', 'contributions', 'distributions', 'navs', 'write_offs', 'capital_accounts'].map((name) => [
      name,
      { fund: 'fund_id', investor: 'coalesce(investor_lp_id, investor_fund_id)' },
    ]),
  ),
  reports: { fund: 'fund_id' },
};

const within = (setting: string, column: string | undefined): string[] =>
  column === undefined
    ? []
    : [
        `((select actor_within('${setting}')) is null or ${column} = any ((select actor_within('${setting}'))::text[]))`,
      ];

/**
 * A saved filter of funds and investors, for the pages that a person opens with it. As a restrictive policy it holds for
 * every list and figure of the page, and can never show more.
 */
const narrowing = Object.entries(NARROWED)
  .map(([name, { fund, investor }]) => {
    const conditions = [...within('tapeline.within_funds', fund), ...within('tapeline.within_investors', investor)];
    return `create policy within on ${name} as restrictive for select using (${conditions.join(' and ')});`;
  })
  .join('\n');

/** Saved views of grids, and the narrowing of pages by saved filters. */
export class GridViews extends Migration {
  override up(): void {
    this.addSql([gridViews, narrowing].join('\n'));
  }
}
