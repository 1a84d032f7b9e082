import { redirect } from '@remix-run/node';
import { Link, useActionData, useLoaderData, useSearchParams } from '@remix-run/react';
import { withReads } from '@tapeline/db/operations/activities/activities.ts';
import { setsToIssue } from '@tapeline/db/operations/capital/issue-reviews.ts';
import { listFundDocuments } from '@tapeline/db/operations/documents/fund-documents.ts';
import { listFunds } from '@tapeline/db/operations/funds/funds.ts';
import {
  getMainFund,
  memberChoices,
  removeMainFund,
  removeMember,
  replaceMembers,
} from '@tapeline/db/operations/funds/main-funds.ts';
import type { Session } from '@tapeline/db/store.ts';
import { labelOf } from '@tapeline/domain/documents/labels.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { FUND_TYPE_LABELS } from '@tapeline/domain/funds/kinds.ts';
import { MAX_MEMBERS } from '@tapeline/domain/funds/main-fund-limits.ts';
import { sum } from '@tapeline/domain/money/decimal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { z } from 'zod';
import { documentHistory } from '../../commands/history.server.ts';
import { DateText, Name, Percent, ShareBar, ShortNumber, Unknown } from '../../components/figures/figures.tsx';
import { formatCount } from '../../components/figures/format.ts';
import { ActionForm } from '../../components/forms/action-form.tsx';
import { LinkButton } from '../../components/forms/button.tsx';
import { ChoiceSearch, countsOf } from '../../components/forms/choice-search.tsx';
import { SelectField } from '../../components/forms/fields.tsx';
import { FormActions, ScreenForm } from '../../components/forms/screen-form.tsx';
import { useShortForm } from '../../components/forms/use-short-form.ts';
import { HistoryPanel } from '../../components/history/action-list.tsx';
import { AskOnPage } from '../../components/overlays/ask-on-page.tsx';
import { ConfirmForm } from '../../components/overlays/confirm-form.tsx';
import { StatusChip } from '../../components/page/chip.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { KeyFigures } from '../../components/page/key-figures.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { named } from '../../components/page/page-name.ts';
import { ViewTabs } from '../../components/page/tabs.tsx';
import { viewOf } from '../../components/page/view-of.ts';
import { TableSection } from '../../components/tables/data-table.tsx';
import { act, intent, readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { documentIntents } from '../capital/documents/document-intents.server.ts';
import { pageOfDocuments } from '../capital/documents/document-page.server.ts';
import { FundDocuments } from '../capital/documents/documents-table.tsx';
import { percentOf } from '../funds/fund/share-of.ts';
import { memberForm } from './main-fund-schemas.ts';

/** An investor has no list of main funds, so its funds are above. */
export const handle = named<typeof loader>(({ title, isInvestor }) => [
  ...(isInvestor ? [{ label: 'Funds', to: paths.funds() }] : []),
  title,
]);

const MAIN_FUND_TABS = [
  { view: 'overview', label: 'Overview' },
  { view: 'documents', label: 'Documents' },
  { view: 'history', label: 'History' },
] as const;

async function documentsOf(session: Session, mainFundId: string, url: URL, mayWrite: boolean) {
  const { documents, ...found } = await listFundDocuments(session, { mainFundId }, pageOfDocuments(url));
  const toIssue = mayWrite ? await setsToIssue(session, { mainFundId }, ['capital_accounts']) : [];
  return { ...found, rows: await withReads(session, documents), toIssue };
}

export const loader = readScreen('funds/read', ({ db, params, url, actor }) =>
  db(async (session) => {
    const fund = await getMainFund(session, params.id ?? '');
    const mayWrite = can(actor, 'funds/write');
    const views = MAIN_FUND_TABS.map(({ view }) => view).filter(
      (view) => view !== 'history' || can(actor, 'history/read'),
    );
    const view = viewOf(url, views);
    const members = await listFunds(session, {
      filter: { mainFund: fund.id },
      sort: { title: 1 },
      limit: MAX_MEMBERS,
    });
    const choices =
      mayWrite && view === 'overview'
        ? await memberChoices(session, fund, { search: url.searchParams.get('find') })
        : null;
    const rows = members.documents.map(({ fund: member, commitments }) => ({
      id: member.id,
      title: member.title,
      status: member.status,
      closingDate: member.closingDate ?? null,
      hardCap: member.hardCap,
      investors: commitments.investors,
      committed: commitments.totals.find(({ currency }) => currency === member.currency)?.activeCommitment ?? '0',
    }));
    return {
      ...pick(fund, 'id', 'title', 'status', 'type', 'strategy', 'currency', 'targetSize', 'hardCap'),
      closingDate: fund.closingDate ?? null,
      description: fund.description ?? null,
      nonRecyclable: fund.nonRecyclable ?? null,
      rows,
      committed: sum(rows.map(({ committed }) => committed)),
      mayWrite,
      isInvestor: actor.lpIds.length > 0,
      choices: choices && {
        counts: countsOf(choices),
        funds: choices.choices.map(({ id, name }) => ({ value: id, label: name })),
      },
      views,
      view,
      documents: view === 'documents' ? await documentsOf(session, fund.id, url, mayWrite) : null,
      history:
        view === 'history'
          ? await documentHistory(session, [{ resource: 'mainFunds', ids: [fund.id] }], url.searchParams)
          : null,
    };
  }),
);

export const action = act({
  ...documentIntents((id) => paths.mainFund(id, { view: 'documents' })),
  add: intent({
    permission: 'funds/write',
    schema: memberForm,
    async run({ fund }, { db, params: { id = '' } }) {
      await db(async (session) => {
        const { members } = await getMainFund(session, id);
        const funds = [...members.map((member) => member.id).filter((member) => member !== fund), fund];
        await replaceMembers(session, { id, funds });
      });
      return redirect(paths.mainFund(id));
    },
  }),
  release: intent({
    permission: 'funds/write',
    schema: memberForm,
    async run({ fund: fundId }, { db, params: { id = '' } }) {
      await db((session) => removeMember(session, { id, fundId }));
      return redirect(paths.mainFund(id));
    },
  }),
  remove: intent({
    permission: 'funds/write',
    schema: z.object({ confirmed: z.literal('yes').optional() }),
    async run({ confirmed }, { db, params: { id = '' } }) {
      if (!confirmed) return redirect(paths.mainFund(id, { confirm: 'remove' }));
      await db((session) => removeMainFund(session, id));
      return redirect(paths.mainFunds());
    },
  }),
});

type Page = ReturnType<typeof useLoaderData<typeof loader>>;

function AddMember({ choices }: { choices: NonNullable<Page['choices']> }) {
  const answer = useActionData<typeof action>();
  const [form, fields] = useShortForm<z.input<typeof memberForm>>('member', {
    lastResult: answer?.intent === 'add' ? answer.lastResult : undefined,
    chosen: ['fund'],
  });
  if (choices.counts.total === 0) {
    return <p className="text-xs text-ink-3">There is no other fund of this currency without a main fund.</p>;
  }
  return (
    <>
      <ChoiceSearch id="find-member" name="find" noun={['fund', 'funds']} counts={choices.counts} />
      <ScreenForm form={form} intent="add" labels={{ fund: 'Fund' }}>
        <div className="flex flex-wrap items-end gap-2">
          <SelectField
            field={fields.fund}
            label="Fund to add"
            choices={choices.funds}
            empty="Choose a fund"
            className="w-80 max-w-full"
          />
          <FormActions submit="Add fund" submitting="Adding" tone="plain" />
        </div>
      </ScreenForm>
    </>
  );
}

function Members({ page }: { page: Page }) {
  const { rows, currency, committed, mayWrite, choices } = page;
  return (
    <TableSection
      title="Funds"
      note={`Sums in ${currency}; commitments as they are today`}
      narrow="list"
      caption="Funds of the main fund"
      rows={rows}
      empty={<EmptyState title="No funds yet">Add a fund of the same currency below.</EmptyState>}
      columns={[
        {
          head: 'Fund',
          cell: (row) => (
            <Link to={paths.fund(row.id)} className="tap-text hover:text-accent">
              <Name length={60}>{row.title}</Name>
            </Link>
          ),
          total: formatCount(rows.length, 'fund'),
        },
        { head: 'Investors', numeric: true, cell: (row) => row.investors },
        { head: 'Committed', money: (row) => row.committed, total: committed },
        { head: 'Hard cap', money: (row) => row.hardCap },
        { head: 'Closing date', date: (row) => row.closingDate, unknown: 'Not set' },
        { head: 'Status', status: (row) => row.status },
        ...(mayWrite
          ? [
              {
                head: <span className="sr-only">Action</span>,
                cell: (row: Page['rows'][number]) => (
                  <ActionForm intent="release" values={{ fund: row.id }} tone="quiet">
                    Take out<span className="sr-only"> {row.title}</span>
                  </ActionForm>
                ),
              },
            ]
          : []),
      ]}
      below={
        choices && rows.length < MAX_MEMBERS ? (
          <div className="border-t border-line p-3">
            <AddMember choices={choices} />
          </div>
        ) : null
      }
    />
  );
}

export default function MainFundScreen() {
  const page = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [search] = useSearchParams();
  const { id, title, status, currency, committed, targetSize, hardCap, nonRecyclable, mayWrite, history } = page;
  const problem = answer && answer.intent !== 'add' ? answer.lastResult.error : null;
  const ofCap = percentOf(committed, hardCap);
  return (
    <>
      <PageHeader
        title={<Name length={60}>{title}</Name>}
        chip={<StatusChip dot status={status} />}
        facts={[
          labelOf(FUND_TYPE_LABELS, page.type),
          page.strategy,
          ...(nonRecyclable
            ? [
                <>
                  not recallable from <DateText value={nonRecyclable.declerationDate} />
                </>,
              ]
            : []),
          ...(page.description ? [page.description] : []),
          `all sums in ${currency}`,
        ]}
        actions={
          mayWrite ? (
            <>
              <ConfirmForm
                intent="remove"
                label="Remove"
                title={`Remove ${title}?`}
                consequence="Take its funds out first. They and their documents stay as they are."
                confirm="Remove"
              />
              <LinkButton to={paths.editMainFund(id)} tone="primary">
                Edit
              </LinkButton>
            </>
          ) : null
        }
      />
      {problem ? <Notice tone="danger">{String(Object.values(problem).flat()[0] ?? '')}</Notice> : null}
      {search.get('confirm') === 'remove' && mayWrite ? (
        <AskOnPage
          intent="remove"
          title={`Remove ${title}?`}
          consequence="Take its funds out first. They and their documents stay as they are."
          confirm="Remove"
          backTo={paths.mainFund(id)}
        />
      ) : null}
      <KeyFigures
        figures={[
          {
            label: page.isInvestor ? 'Your commitments' : 'Committed',
            value: <ShortNumber value={committed} zero="figure" />,
            unit: currency,
            note: formatCount(page.rows.length, 'fund'),
          },
          { label: 'Target size', value: <ShortNumber value={targetSize} zero="figure" />, unit: currency },
          {
            label: 'Hard cap',
            value: <ShortNumber value={hardCap} zero="figure" />,
            unit: currency,
            note: page.isInvestor ? null : ofCap === null ? (
              <Unknown reason="The hard cap is 0" />
            ) : (
              <>
                <ShareBar fraction={Number(ofCap) / 100} /> <Percent value={ofCap} digits={1} /> committed
              </>
            ),
          },
          {
            label: 'Closing date',
            value: <DateText value={page.closingDate} unknown="Not set" />,
          },
        ]}
      />
      <ViewTabs
        label="Parts of the main fund"
        tabs={MAIN_FUND_TABS.filter(({ view }) => page.views.includes(view))}
        current={page.view}
        to={(view) => paths.mainFund(id, { view })}
      />
      {page.view === 'overview' ? <Members page={page} /> : null}
      {page.documents ? (
        <FundDocuments {...page.documents} mayWrite={mayWrite} of={{ mainFund: id }} classes={[]} hasNotices={false} />
      ) : null}
      {history ? <HistoryPanel history={history} /> : null}
    </>
  );
}
