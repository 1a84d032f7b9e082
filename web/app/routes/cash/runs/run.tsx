import { redirect } from '@remix-run/node';
import { Link, useActionData, useLoaderData, useSearchParams } from '@remix-run/react';
import { returnPayment, reviewPaymentRun, withdrawPaymentRun } from '@tapeline/db/operations/cash/payment-runs.ts';
import { PAYMENT_FORMAT_LABELS } from '@tapeline/domain/cash/payment-files/payment-order.ts';
import { PAYMENT_STATE_LABELS } from '@tapeline/domain/cash/payment-runs/kinds.ts';
import { paymentRunReasonSchema } from '@tapeline/domain/cash/payment-runs/payment-run.schema.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { makerOf } from '@tapeline/domain/documents/maker.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { z } from 'zod';
import { documentHistory } from '../../../commands/history.server.ts';
import { releaseRun } from '../../../commands/payment-runs.server.ts';
import { DateText, Money, Mono } from '../../../components/figures/figures.tsx';
import { formatCount, formatFigure, writtenAmount } from '../../../components/figures/format.ts';
import { ActionProblems } from '../../../components/forms/action-problems.tsx';
import { LinkButton } from '../../../components/forms/button.tsx';
import { IntentForm } from '../../../components/forms/intent-form.tsx';
import { versionField } from '../../../components/forms/version-field.ts';
import { HistorySection } from '../../../components/history/action-list.tsx';
import { ConfirmedAction } from '../../../components/overlays/confirmed-action.tsx';
import { StatusChip } from '../../../components/page/chip.tsx';
import { KeyFigures } from '../../../components/page/key-figures.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { Facts, PanelSection } from '../../../components/page/section.tsx';
import { TableSection } from '../../../components/tables/data-table.tsx';
import { type ActionAnswer, act, confirmedIntent, intent, readScreen } from '../../../http/screen.server.ts';
import { originOf } from '../../../http/session.server.ts';
import { paths } from '../../../paths.ts';
import { releaseBlock, releaseQuestion } from './release-words.ts';

export const handle = named<typeof loader>(({ code }) => [`Payment run ${code}`]);

export const loader = readScreen('payments/read', ({ db, params, url, actor }) =>
  db(async (session) => {
    const { run, isOwn, hasReleased, isFirst, problems } = await reviewPaymentRun(session, params.id ?? '');
    const nameOf = (by: typeof run.released) => (by ? makerOf({ iat: '', createdBy: by }) : null);
    return {
      ...pick(run, 'id', 'code', 'version', 'status', 'executeOn', 'format', 'bankAccountTitle', 'total', 'currency'),
      ...pick(run, 'count', 'needsTwo', 'downloads'),
      isOwn,
      hasReleased,
      isFirst,
      problems,
      withdrawalReason: run.withdrawalReason ?? null,
      prepared: { by: nameOf(run.prepared) ?? '', at: run.prepared.timestamp },
      firstReleased: nameOf(run.firstReleased),
      released: nameOf(run.released),
      withdrawn: nameOf(run.withdrawn),
      file: run.file ? pick(run.file, 'name', 'size', 'checksum') : null,
      payments: run.lines.map(({ payee, ...line }) => ({
        ...pick(line, 'place', 'kind', 'id', 'ending', 'amount', 'reference', 'purpose', 'state', 'returnReason'),
        payee: payee.name,
      })),
      mayRelease: can(actor, 'payments/release'),
      mayWrite: can(actor, 'payments/write'),
      history: await documentHistory(session, [{ resource: 'paymentRuns', ids: [run.id] }], url.searchParams),
    };
  }),
);

const seenForm = z.object({ seenVersion: versionField });

export const action = act({
  release: confirmedIntent({
    permission: 'payments/release',
    schema: seenForm,
    asks: 'release',
    async run({ seenVersion: version }, { context, actor, request, params: { id = '' } }) {
      await releaseRun({ context, actor, origin: originOf(request, context) }, { id, version });
      return redirect(paths.paymentRun(id));
    },
  }),
  withdraw: intent({
    permission: 'payments/write',
    schema: paymentRunReasonSchema.pick({ reason: true }).extend(seenForm.shape),
    async run({ seenVersion: version, reason }, { db, params: { id = '' } }) {
      await db((session) => withdrawPaymentRun(session, { id, version, reason }));
      return redirect(paths.paymentRun(id));
    },
  }),
  returned: intent({
    permission: 'payments/write',
    schema: paymentRunReasonSchema
      .pick({ reason: true })
      .extend({ ...seenForm.shape, place: z.coerce.number().int().min(0) }),
    async run({ seenVersion: version, reason, place }, { db, params: { id = '' } }) {
      await db((session) => returnPayment(session, { id, version, place, reason }));
      return redirect(paths.paymentRun(id));
    },
  }),
});

type Page = ReturnType<typeof useLoaderData<typeof loader>>;

const wasSent = ({ state }: Pick<Page['payments'][number], 'state'>) => state === 'sent' || state === 'paid';

function Buttons({ page }: { page: Page }) {
  const { id, status, file, mayRelease, mayWrite, version } = page;
  if (file) {
    return mayRelease ? (
      <LinkButton to={paths.paymentRunFile(id)} reloadDocument tone="primary">
        Download file
      </LinkButton>
    ) : null;
  }
  if (status !== 'Prepared') return null;
  return (
    <>
      {mayWrite ? (
        <LinkButton to={paths.paymentRun(id, { ask: 'withdraw' })} preventScrollReset>
          Withdraw
        </LinkButton>
      ) : null}
      {mayRelease && releaseBlock(page) === null ? (
        <ConfirmedAction
          asks="release"
          {...releaseQuestion(page)}
          intent="release"
          values={{ seenVersion: String(version) }}
          tone="primary"
          buttonTone="primary"
        />
      ) : null}
    </>
  );
}

function Stand({ page }: { page: Page }) {
  const { status, problems, withdrawn, withdrawalReason, firstReleased, needsTwo } = page;
  if (status === 'Withdrawn') {
    return (
      <Notice tone="warning">
        Withdrawn by {withdrawn}: {withdrawalReason}
      </Notice>
    );
  }
  if (status !== 'Prepared') return null;
  if (problems.length > 0) {
    return <Notice tone="danger">{problems.join('. ')}. Withdraw the run and prepare it again.</Notice>;
  }
  const block = page.mayRelease
    ? releaseBlock(page)
    : 'A person with the permission to release payments must release it.';
  return (
    <Notice tone="warning">
      {firstReleased ? `${firstReleased} has released it. A second person must release it too. ` : null}
      {needsTwo && !firstReleased ? 'Two people who did not prepare it must release it. ' : null}
      {block ?? 'You can release it.'}
    </Notice>
  );
}

export default function PaymentRunScreen() {
  const page = useLoaderData<typeof loader>();
  const answer = useActionData<ActionAnswer>();
  const [search] = useSearchParams();
  const { id, code, status, total, currency, count, executeOn, file, payments } = page;
  const back = payments.find((one) => String(one.place) === search.get('back') && wasSent(one));
  const paid = payments.filter(({ state }) => state === 'paid').length;
  return (
    <>
      <PageHeader
        title={`Payment run ${code}`}
        chip={<StatusChip dot status={status} />}
        facts={[
          `from ${page.bankAccountTitle}`,
          <>
            prepared by {page.prepared.by} on <DateText value={page.prepared.at} />
          </>,
          ...(page.released
            ? [`released by ${[page.firstReleased, page.released].filter(Boolean).join(' and ')}`]
            : []),
        ]}
        actions={<Buttons page={page} />}
      />
      <ActionProblems answer={answer} ofForms={['withdraw', 'returned']} />
      <Stand page={page} />
      {search.get('ask') === 'withdraw' && status === 'Prepared' && page.mayWrite ? (
        <PanelSection title="Withdraw" note="Its payments can be chosen for another run" padded className="max-w-2xl">
          <IntentForm
            intent="withdraw"
            sent={{ seenVersion: page.version }}
            lines={[{ name: 'reason', label: 'Reason', maxLength: 500, autoComplete: 'off' }]}
            submit="Withdraw run"
            submitting="Withdrawing"
            tone="danger"
            cancelTo={paths.paymentRun(id)}
          />
        </PanelSection>
      ) : null}
      {back && page.mayWrite ? (
        <PanelSection
          title="Record a return"
          note={`${back.payee}, ${writtenAmount({ sum: back.amount, currency })}: it is owed again`}
          padded
          className="max-w-2xl"
        >
          <IntentForm
            intent="returned"
            sent={{ seenVersion: page.version, place: back.place }}
            lines={[
              { name: 'reason', label: 'Reason', maxLength: 500, autoComplete: 'off', hint: 'As the bank gives it' },
            ]}
            submit="Record return"
            submitting="Recording"
            tone="danger"
            cancelTo={paths.paymentRun(id)}
          />
        </PanelSection>
      ) : null}
      <KeyFigures
        figures={[
          { label: 'Total', value: <Money value={total} zero="figure" />, unit: currency },
          {
            label: 'Payments',
            value: formatFigure(count),
            note: status === 'Released' ? `${formatFigure(paid)} paid by the bank` : undefined,
          },
          { label: 'Payment date', value: formatCalendarDate(executeOn) },
        ]}
      />
      <TableSection
        title="Payments"
        note={formatCount(count, 'payment')}
        caption={`Payments of run ${code}`}
        rows={payments}
        rowKey={(line) => `${line.kind}/${line.id}`}
        columns={[
          { head: 'Payee', name: ({ payee }) => payee, length: 48 },
          { head: 'Account', cell: ({ ending }) => <Mono>•••• {ending}</Mono> },
          { head: 'For', name: ({ purpose }) => purpose, length: 50 },
          { head: 'Reference', cell: ({ reference }) => <Mono>{reference}</Mono> },
          {
            head: 'Amount',
            money: ({ amount }) => ({ sum: amount, currency }),
            withCurrency: true,
            total: { sum: total, currency },
          },
          {
            head: 'State',
            cell: ({ place, state, returnReason }) => (
              <>
                {PAYMENT_STATE_LABELS[state]}
                {returnReason ? <span className="block text-xs text-ink-2">{returnReason}</span> : null}
                {page.mayWrite && wasSent({ state }) ? (
                  <Link
                    to={paths.paymentRun(id, { back: place })}
                    preventScrollReset
                    className="tap-text ml-2 text-accent hover:underline"
                  >
                    Record return
                  </Link>
                ) : null}
              </>
            ),
          },
        ]}
      />
      {file ? (
        <PanelSection
          title="File"
          note="The same bytes each time; the history shows who downloaded it"
          padded
          className="max-w-3xl"
        >
          <Facts
            items={[
              { label: 'Name', value: file.name },
              { label: 'Kind', value: PAYMENT_FORMAT_LABELS[page.format] },
              { label: 'Payments', value: formatFigure(count) },
              { label: 'Control total', value: writtenAmount({ sum: total, currency }) },
              { label: 'Bytes', value: formatFigure(file.size) },
              { label: 'SHA-256', value: <Mono>{file.checksum}</Mono> },
              { label: 'Downloads', value: formatFigure(page.downloads) },
            ]}
          />
        </PanelSection>
      ) : null}
      {page.history ? <HistorySection history={page.history} all={{ resource: 'paymentRuns', id }} /> : null}
    </>
  );
}
