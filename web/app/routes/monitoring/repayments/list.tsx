import { type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { filteredTotals } from '@tapeline/db/operations/listing/list-documents.ts';
import { listRepayments, REPAYMENTS } from '@tapeline/db/operations/repayments/repayments.ts';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { REPAYMENT_KINDS } from '@tapeline/domain/repayments/repayment.schema.ts';
import { formatCount } from '../../../components/figures/format.ts';
import { FilterBar } from '../../../components/filters/filter-bar.tsx';
import { joinDraft, viewFilter } from '../../../components/filters/filter-view.ts';
import { LinkButton } from '../../../components/forms/button.tsx';
import { AssetGrid } from '../../../components/grid/asset-grid.tsx';
import { rowsOfDocuments } from '../../../components/grid/document-rows.ts';
import { FIRST_ROWS, readSort } from '../../../components/grid/grid-columns.ts';
import { Notice } from '../../../components/page/notice.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { skipOf } from '../../../components/page/skip.ts';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { repaymentRow } from './repayment-row.ts';

const COLUMNS = columnsOf('repayments');

export const meta: MetaFunction = () => [{ title: 'Repayments · Tapeline' }];

const DEFAULT_SORT = { cutOffDate: -1 } as const;
const VALUES: Readonly<Record<string, readonly string[]>> = {
  status: ['Active', 'Removed'],
  'repayments.kind': REPAYMENT_KINDS,
};

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'repayments/read', async ({ db, url, actor }) => {
    const { catalog } = REPAYMENTS;
    const joined = joinDraft(url.searchParams, catalog);
    if (joined && 'goTo' in joined) throw redirect(`${url.pathname}?${joined.goTo}`);
    const { text, chips, problem } = viewFilter(url.searchParams.get('filter'), catalog);
    const chosen = readSort(url.searchParams.get('sort'), COLUMNS);
    const sort = Object.keys(chosen).length > 0 ? chosen : DEFAULT_SORT;
    const { documents, total, totals } = await db(async (session) => ({
      ...(await listRepayments(session, {
        ...(text ? { filter: text } : {}),
        sort,
        skip: skipOf(url.searchParams),
        limit: FIRST_ROWS,
      })),
      totals: await filteredTotals(session, REPAYMENTS, { filter: text }, ['amountInMainCurrency.sum']),
    }));
    return {
      rows: rowsOfDocuments(documents.map(repaymentRow), COLUMNS),
      total,
      totals,
      filter: text,
      chips,
      problem,
      draft: joined && 'draft' in joined ? joined.draft : null,
      fields: catalog.fields.map((field) => ({
        ...field,
        ...(VALUES[field.path] ? { values: [...(VALUES[field.path] ?? [])] } : {}),
      })),
      mayRecord: can(actor, 'repayments/write') && actor.type !== 'company',
    };
  });

export default function Repayments() {
  const { rows, total, totals, filter, chips, problem, draft, fields, mayRecord } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Repayments"
        facts={[formatCount(total, 'repayment'), 'only principal reduces the balance']}
        actions={
          mayRecord ? (
            <LinkButton to={paths.newRepayment()} tone="primary">
              Record a repayment
            </LinkButton>
          ) : null
        }
      />
      {problem ? (
        <Notice tone="danger" action={<Link to={paths.repayments()}>Show all repayments</Link>}>
          This filter is not valid: it {problem}. All repayments are shown.
        </Notice>
      ) : null}
      <AssetGrid
        id="repayments"
        noun="repayments"
        source={{ list: '/crud/repayments', scope: {}, format: 'json' }}
        columns={COLUMNS}
        rows={rows}
        total={total}
        totals={totals}
        filter={filter}
        defaultSort={DEFAULT_SORT}
        tools={<FilterBar chips={chips} fields={fields} draft={draft} />}
        rowTo={(row) => paths.repayment(String(row.id))}
        empty={filter ? 'Remove a filter.' : 'What borrowers repay is listed here: principal, interest and fees.'}
      />
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';
