import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { listCategories, listEntities } from '@tapeline/db/operations/entities/entities.ts';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { formatCount } from '../../../components/figures/format.ts';
import { LinkButton } from '../../../components/forms/button.tsx';
import { inputClass } from '../../../components/forms/fields.tsx';
import { OrganizationGrid } from '../../../components/organizations/organization-grid.tsx';
import { firstRows } from '../../../components/organizations/organization-list.ts';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../paths.ts';

const COLUMNS = columnsOf('entities');

export const meta: MetaFunction = () => [{ title: 'Entities · Tapeline' }];

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'entities/read', async (screen) => {
    const category = (screen.url.searchParams.get('category') ?? '').slice(0, 100);
    const parameters: Record<string, string> = category ? { category } : {};
    return {
      mayWrite: can(screen.actor, 'entities/write'),
      category,
      categories: await screen.db(listCategories),
      found: await firstRows(screen, COLUMNS, listEntities, { nameField: 'name', parameters }),
    };
  });

export default function Entities() {
  const { found, mayWrite, category, categories } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Entities"
        facts={[formatCount(found.total, 'entity', 'entities'), 'The register of companies, funds and people']}
        actions={
          mayWrite ? (
            <LinkButton to={paths.newEntity()} tone="primary">
              New entity
            </LinkButton>
          ) : null
        }
      />
      <OrganizationGrid
        id="entities"
        list="/crud/entities"
        columns={COLUMNS}
        noun="entities"
        found={found}
        rowTo={paths.entity}
        empty="Creating a company, an investor or a fund adds its entity. You can also add an entity on its own."
        more={
          <select
            name="category"
            key={category}
            defaultValue={category}
            aria-label="Category"
            className={inputClass('truncate sm:max-w-48')}
          >
            <option value="">Any category</option>
            {categories.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        }
      />
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';
