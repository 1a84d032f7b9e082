import { redirect } from '@remix-run/node';
import { Link, useActionData, useLoaderData, useSearchParams } from '@remix-run/react';
import { settleNavDrafts } from '@tapeline/db/operations/capital/navs.ts';
import { removeFund } from '@tapeline/db/operations/funds/change-funds.ts';
import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { versionSchema } from '@tapeline/domain/documents/document.schema.ts';
import { labelOf } from '@tapeline/domain/documents/labels.ts';
import { FUND_TYPE_LABELS } from '@tapeline/domain/funds/kinds.ts';
import { Download } from 'lucide-react';
import { z } from 'zod';
import { DateText, Name } from '../../../components/figures/figures.tsx';
import { AsOf } from '../../../components/forms/as-of.tsx';
import { LinkButton } from '../../../components/forms/button.tsx';
import { AskOnPage } from '../../../components/overlays/ask-on-page.tsx';
import { LinkMenu } from '../../../components/overlays/menu.tsx';
import { StatusChip } from '../../../components/page/chip.tsx';
import { KeyFigures } from '../../../components/page/key-figures.tsx';
import { loadedPart, ShownPart } from '../../../components/page/loaded-part.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { ViewTabs } from '../../../components/page/tabs.tsx';
import { act, confirmedIntent, intent, readScreen } from '../../../http/screen.server.ts';
import { paths, type SpreadsheetFormat } from '../../../paths.ts';
import { documentIntents } from '../../capital/documents/document-intents.server.ts';
import { fundFigures } from './fund-figures.tsx';
import { type FundPage, readFundPage } from './fund-page.server.ts';
import { OverviewPanel } from './overview.tsx';
import { DocumentsPanel, HistoryTab, InvestorsPanel } from './panels.tsx';
import { removalOf } from './removal.ts';

const ACTIVITY = loadedPart(() => import('./capital-panels.tsx').then((part) => part.ActivityPanel));
const NAVS = loadedPart(() => import('./capital-panels.tsx').then((part) => part.NavsPanel));
const TERMS = loadedPart(() => import('./terms.tsx').then((part) => part.TermsPanel));
const PERFORMANCE = loadedPart(() => import('./performance.tsx').then((part) => part.PerformancePanel));

export const handle = named<typeof loader>(({ title }) => [title]);

export const loader = readScreen('funds/read', readFundPage);

export const action = act({
  ...documentIntents((id) => paths.fund(id, { view: 'documents' })),
  remove: intent({
    permission: 'funds/write',
    schema: z.object({ confirmed: z.literal('yes').optional() }),
    async run({ confirmed }, { db, params: { id = '' } }) {
      if (!confirmed) return redirect(paths.fund(id, { view: 'terms', confirm: 'remove' }));
      await db((session) => removeFund(session, id));
      return redirect(paths.funds());
    },
  }),
  ...Object.fromEntries(
    (['issue', 'discard'] as const).map((step) => [
      `${step}Navs`,
      confirmedIntent({
        permission: 'funds/write',
        schema: z.object({ cutOffDate: calendarDateSchema, version: z.coerce.number().pipe(versionSchema) }),
        asks: ({ cutOffDate }) => `${step}Navs ${cutOffDate}`,
        async run({ cutOffDate, version }, { db, params: { id = '' } }) {
          await db((session) => settleNavDrafts(session, { fundId: id, cutOffDate, version, step }));
          return redirect(paths.fund(id, { view: 'navs' }));
        },
      }),
    ]),
  ),
});

/** The panel of the tab in the address. */
function Panel({ page }: { page: FundPage }) {
  const { tab } = page;
  switch (tab.view) {
    case 'overview':
      return <OverviewPanel page={{ ...page, tab }} />;
    case 'investors':
      return <InvestorsPanel page={{ ...page, tab }} />;
    case 'activity':
      return <ShownPart of={ACTIVITY} page={{ ...page, tab }} />;
    case 'navs':
      return <ShownPart of={NAVS} page={{ ...page, tab }} />;
    case 'performance':
      return <ShownPart of={PERFORMANCE} page={{ ...page, tab }} />;
    case 'terms':
      return <ShownPart of={TERMS} page={{ ...page, tab }} />;
    case 'documents':
      return <DocumentsPanel page={{ ...page, tab }} />;
    case 'history':
      return <HistoryTab page={{ ...page, tab }} />;
  }
}

const EXPORTS = {
  commitments: { label: 'Commitments register', to: paths.commitmentsRegister },
  cashFlows: {
    label: 'Cash flows',
    to: (fund: string, format: SpreadsheetFormat) => paths.cashFlows(format, { fund }),
  },
} as const;

const exportsOf = ({ id, exports, date, today }: Pick<FundPage, 'id' | 'exports' | 'date' | 'today'>) =>
  exports.flatMap((name) => {
    const { label, to } = EXPORTS[name];
    const of = (format: SpreadsheetFormat) => to(id, format, date === today ? {} : { date });
    return [
      { to: of('xlsx'), label: `${label}, Excel` },
      { to: of('csv'), label: `${label}, CSV` },
    ];
  });

export default function FundScreen() {
  const page = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.lastResult.error;
  const [search] = useSearchParams();
  const { id, title, status, currency, mainFund, partners, managementCompany, tab, tabs, date, today } = page;
  const dated = date === today ? {} : { date };
  return (
    <>
      <PageHeader
        title={<Name length={60}>{title}</Name>}
        chip={<StatusChip dot status={status} />}
        facts={[
          `${labelOf(FUND_TYPE_LABELS, page.type)}, ${page.strategy}`,
          ...(mainFund
            ? [
                <>
                  main fund{' '}
                  <Link to={paths.mainFund(mainFund.id)} className="font-medium text-ink hover:text-accent">
                    {mainFund.title}
                  </Link>
                </>,
              ]
            : []),
          ...(partners.length > 0
            ? [
                <>
                  GP <b>{partners.map(({ name }) => name).join(', ')}</b>
                </>,
              ]
            : []),
          ...(managementCompany
            ? [
                <>
                  managed by <b>{managementCompany.name}</b>
                </>,
              ]
            : []),
          ...(page.firstClosing
            ? [
                <>
                  first closing{' '}
                  <b>
                    <DateText value={page.firstClosing} />
                  </b>
                </>,
              ]
            : []),
          `all figures in ${currency}`,
        ]}
        actions={
          <>
            <AsOf date={date} today={today} />
            {page.exports.length > 0 ? <LinkMenu label="Export" icon={Download} links={exportsOf(page)} /> : null}
            {page.mayDistribute && page.investors > 0 ? (
              <LinkButton to={paths.newDistribution({ fund: id })}>New distribution</LinkButton>
            ) : null}
          </>
        }
        primary={
          // The first step of a fund is a commitment to it.
          page.mayCall && page.investors > 0
            ? { label: 'New capital call', to: paths.newCapitalCall({ fund: id }) }
            : page.mayCommit
              ? { label: 'New commitment', to: paths.newCommitment(id) }
              : null
        }
      />
      {problem ? <Notice tone="danger">{String(Object.values(problem).flat()[0] ?? '')}</Notice> : null}
      {search.get('confirm') === 'remove' && page.mayWrite ? (
        <AskOnPage {...removalOf(page)} backTo={paths.fund(id, { view: 'terms' })} />
      ) : null}
      <KeyFigures figures={fundFigures(page)} />
      <ViewTabs
        label="Parts of the fund"
        tabs={tabs.map((one) => ({ ...one, count: one.view === 'investors' ? page.investors : null }))}
        current={tab.view}
        to={(view) => paths.fund(id, { view, ...dated })}
      />
      <Panel page={page} />
    </>
  );
}
