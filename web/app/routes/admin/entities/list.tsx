import { useLoaderData } from '@remix-run/react';
import { listCategories, listEntities } from '@tapeline/db/operations/entities/entities.ts';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { inputClass } from '../../../components/forms/fields.tsx';
import { rowsFrom } from '../../../components/grid/grid-list.ts';
import { OrganizationList } from '../../../components/organizations/organization-grid.tsx';
import { firstRows } from '../../../components/organizations/organization-list.ts';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';

const COLUMNS = columnsOf('entities');

export const handle = { title: 'Entities' };

export const loader = readScreen('entities/read', async (screen) => {
  const category = (screen.url.searchParams.get('category') ?? '').slice(0, 100);
  const parameters: Record<string, string> = category ? { category } : {};
  return {
    mayWrite: can(screen.actor, 'entities/write'),
    category,
    categories: await screen.db(listCategories),
    found: await firstRows(screen, { columns: COLUMNS, sort: { name: 1 }, load: rowsFrom(listEntities) }, parameters),
  };
});

export default function Entities() {
  const { found, mayWrite, category, categories } = useLoaderData<typeof loader>();
  return (
    <OrganizationList
      id="entities"
      title="Entities"
      facts={['The register of companies, funds and people']}
      primary={mayWrite ? { label: 'New entity', to: paths.newEntity() } : null}
      list="/crud/entities"
      columns={COLUMNS}
      noun={['entity', 'entities']}
      found={found}
      rowTo={paths.entity}
      empty="Creating a borrower, an investor or a fund adds its entity. You can also add an entity on its own."
      more={{
        set: category ? [{ name: 'category', label: 'Category', value: category }] : [],
        selects: (
          <select
            name="category"
            key={category}
            defaultValue={category}
            aria-label="Category"
            className={inputClass('truncate')}
          >
            <option value="">Any category</option>
            {categories.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        ),
      }}
    />
  );
}
