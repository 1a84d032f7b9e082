import { redirect } from '@remix-run/node';
import { Link, useActionData, useLoaderData, useSearchParams } from '@remix-run/react';
import { settleNavDrafts } from '@tapeline/db/operations/capital/navs.ts';
import { removeFund } from '@tapeline/db/operations/funds/change-funds.ts';
import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { labelOf } from '@tapeline/domain/documents/labels.ts';
import { FUND_TYPE_LABELS } from '@tapeline/domain/funds/kinds.ts';
import { z } from 'zod';
import { DateText, Name } from '../../../components/figures/figures.tsx';
import { AsOf } from '../../../components/forms/as-of.tsx';
import { LinkButton } from '../../../components/forms/button.tsx';
import { AskOnPage } from '../../../components/overlays/ask-on-page.tsx';
import { ConfirmForm } from '../../../components/overlays/confirm-form.tsx';
import { StatusChip } from '../../../components/page/chip.tsx';
import { KeyFigures } from '../../../components/page/key-figures.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { Tabs } from '../../../components/page/tabs.tsx';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { documentIntents } from '../../capital/documents/document-intents.server.ts';
import { CallsPanel, DistributionsPanel, NavsPanel, WriteOffsPanel } from './capital-panels.tsx';
import { fundFigures } from './fund-figures.tsx';
import { type FundPage, readFundPage } from './fund-page.server.ts';
import { OverviewPanel } from './overview.tsx';
import { DocumentsPanel, HistoryTab, InvestorsPanel } from './panels.tsx';
import { PerformancePanel } from './performance.tsx';
import { FUND_TABS } from './tabs.ts';
import { TimelineSection, timelineEditOf } from './timeline.tsx';

export const handle = named<typeof loader>(({ title }) => [title]);

export const loader = readScreen('funds/read', readFundPage);

export const action = act({
  ...documentIntents((id) => paths.fund(id, { view: 'documents' })),
  remove: intent({
    permission: 'funds/write',
    schema: z.object({ confirmed: z.literal('yes').optional() }),
    async run({ confirmed }, { db, params: { id = '' } }) {
      if (!confirmed) return redirect(`${paths.fund(id)}?confirm=remove`);
      await db((session) => removeFund(session, id));
      return redirect(paths.funds());
    },
  }),
  ...Object.fromEntries(
    (['issue', 'discard'] as const).map((step) => [
      `${step}Navs`,
      intent({
        permission: 'funds/write',
        schema: z.object({ cutOffDate: calendarDateSchema }),
        async run({ cutOffDate }, { db, params: { id = '' } }) {
          await db((session) => settleNavDrafts(session, { fundId: id, cutOffDate, step }));
          return redirect(paths.fund(id, { view: 'navs' }));
        },
      }),
    ]),
  ),
});

const QUESTION = {
  intent: 'remove',
  consequence: 'It can be removed only if nobody has committed to it and it holds no notes. Its history is kept.',
  confirm: 'Remove',
} as const;

/** The panel of the tab in the address. */
function Panel({ page }: { page: FundPage }) {
  const { tab } = page;
  switch (tab.view) {
    case 'overview':
      return <OverviewPanel page={{ ...page, tab }} />;
    case 'investors':
      return <InvestorsPanel page={{ ...page, tab }} />;
    case 'calls':
      return <CallsPanel page={{ ...page, tab }} />;
    case 'distributions':
      return <DistributionsPanel page={{ ...page, tab }} />;
    case 'navs':
      return <NavsPanel page={{ ...page, tab }} />;
    case 'writeOffs':
      return <WriteOffsPanel page={{ ...page, tab }} />;
    case 'performance':
      return <PerformancePanel page={{ ...page, tab }} />;
    case 'timeline':
      return <TimelineSection timeline={tab.timeline} today={page.today} editTo={timelineEditOf(page)} />;
    case 'documents':
      return <DocumentsPanel page={{ ...page, tab }} />;
    case 'history':
      return <HistoryTab page={{ ...page, tab }} />;
  }
}

export default function FundScreen() {
  const page = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.lastResult.error;
  const [search] = useSearchParams();
  const { id, title, status, currency, mainFund, partners, managementCompany, tab, date, today } = page;
  const counts: Partial<Record<string, number>> = page.views.includes('investors') ? { investors: page.investors } : {};
  const dated = date === today ? {} : { date };
  return (
    <>
      <PageHeader
        title={<Name length={60}>{title}</Name>}
        chip={<StatusChip dot status={status} />}
        facts={[
          `${labelOf(FUND_TYPE_LABELS, page.type)}, ${page.strategy}`,
          ...(page.externalCode ? [`external code ${page.externalCode}`] : []),
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
            {page.mayWrite ? (
              <>
                <ConfirmForm {...QUESTION} label="Remove" title={`Remove ${title}?`} />
                <LinkButton to={paths.editFund(id)}>Edit</LinkButton>
              </>
            ) : null}
            {page.mayCommit ? (
              <LinkButton to={paths.newCommitment(id)} tone="primary">
                New commitment
              </LinkButton>
            ) : null}
          </>
        }
      />
      {problem ? <Notice tone="danger">{String(Object.values(problem).flat()[0] ?? '')}</Notice> : null}
      {search.get('confirm') === 'remove' && page.mayWrite ? (
        <AskOnPage {...QUESTION} title={`Remove ${title}?`} backTo={paths.fund(id)} />
      ) : null}
      <KeyFigures figures={fundFigures(page)} />
      <Tabs
        label="Parts of the fund"
        tabs={FUND_TABS.filter(({ view }) => page.views.includes(view)).map(({ view, label }) => ({
          label,
          to: paths.fund(id, { view: view === 'overview' ? undefined : view, ...dated }),
          current: tab.view === view,
          count: counts[view] ?? null,
        }))}
      />
      <Panel page={page} />
    </>
  );
}
