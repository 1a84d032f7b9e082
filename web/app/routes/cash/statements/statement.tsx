import { useLoaderData } from '@remix-run/react';
import { getBankStatement, linesOfStatement } from '@tapeline/db/operations/cash/bank-statements.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { writtenAmount } from '@tapeline/domain/money/format-figure.ts';
import { documentHistory } from '../../../commands/history.server.ts';
import { DateText, Money, Unknown } from '../../../components/figures/figures.tsx';
import { formatCount } from '../../../components/figures/format.ts';
import { HistorySection } from '../../../components/history/action-list.tsx';
import { KeyFigures } from '../../../components/page/key-figures.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { Pagination } from '../../../components/page/pagination.tsx';
import { skipOf } from '../../../components/page/skip.ts';
import { TableSection } from '../../../components/tables/data-table.tsx';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { gapInWords } from './statement-words.ts';

export const handle = named<typeof loader>(({ number }) => [
  ['Bank statements', paths.bankStatements()],
  `Statement ${number}`,
]);

const PAGE_LENGTH = 100;

export const loader = readScreen('payments/read', ({ db, params, url }) =>
  db(async (session) => {
    const statement = await getBankStatement(session, params.id ?? '');
    const page = { id: statement.id, skip: skipOf(url.searchParams), limit: PAGE_LENGTH };
    return {
      ...pick(statement, 'id', 'number', 'format', 'currency', 'lineCount', 'toDate', 'fileName', 'gap', 'bankAccount'),
      fromDate: statement.fromDate ?? null,
      opening: statement.openingAmount ?? null,
      openingDate: statement.openingDate ?? null,
      closing: statement.closingAmount ?? null,
      closingDate: statement.closingDate ?? null,
      isImported: url.searchParams.get('imported') === 'yes',
      lines: await linesOfStatement(session, page),
      history: await documentHistory(session, [{ resource: 'bankStatements', ids: [statement.id] }], url.searchParams),
    };
  }),
);

type Page = ReturnType<typeof useLoaderData<typeof loader>>;

function Balances({ page }: { page: Page }) {
  const balance = (label: string, amount: string | null, date: string | null) => ({
    label,
    value: amount === null ? <Unknown reason="The file has no balance" /> : <Money value={amount} zero="figure" />,
    ...(amount === null ? {} : { unit: page.currency }),
    note: date === null ? undefined : <DateText value={date} />,
  });
  return (
    <KeyFigures
      label="Balances"
      figures={[
        balance('Opening', page.opening, page.openingDate),
        balance('Closing', page.closing, page.closingDate),
        { label: 'Lines', value: String(page.lineCount) },
      ]}
    />
  );
}

export default function BankStatement() {
  const page = useLoaderData<typeof loader>();
  const { bankAccount, currency, gap, lines } = page;
  return (
    <>
      <PageHeader
        isPart
        title={`Statement ${page.number}`}
        facts={[
          <b key="account">{bankAccount.title}</b>,
          bankAccount.accountNumber,
          page.fromDate === null || page.fromDate === page.toDate
            ? formatCalendarDate(page.toDate)
            : `${formatCalendarDate(page.fromDate)} to ${formatCalendarDate(page.toDate)}`,
          `${page.format}, ${page.fileName}`,
        ]}
      />
      {page.isImported ? (
        <Notice tone="good">
          {formatCount(page.lineCount, 'line')} imported.
          {page.opening === null ? '' : ' They lead from the opening to the closing balance.'}
        </Notice>
      ) : null}
      {gap ? <Notice tone="warning">{gapInWords(gap, currency)}. Ask the bank for it, and import it.</Notice> : null}
      <Balances page={page} />
      <TableSection
        title="Lines"
        narrow="list"
        rows={lines}
        rowKey={({ reference }) => reference}
        columns={[
          { head: 'Booked', date: ({ bookedOn }) => bookedOn },
          { head: 'Value date', quiet: true, date: ({ valuedOn }) => valuedOn },
          { head: 'Payer or payee', name: ({ counterpartyName }) => counterpartyName ?? '', length: 40 },
          {
            head: 'Text',
            wraps: true,
            cell: ({ remittance, returnReason }) =>
              returnReason === null ? remittance : `Returned: ${returnReason}. ${remittance}`,
          },
          { head: 'Reference', quiet: true, wraps: true, cell: ({ reference }) => reference },
          {
            head: 'Instructed',
            cell: ({ original }) =>
              original ? writtenAmount({ sum: original.amount, currency: original.currency }) : '',
            numeric: true,
          },
          { head: `Amount (${currency})`, money: ({ amount }) => amount, zero: 'figure' },
        ]}
        below={<Pagination total={page.lineCount} limit={PAGE_LENGTH} noun="lines" />}
      />
      {page.history ? (
        <HistorySection history={page.history} all={{ resource: 'bankStatements', id: page.id }} />
      ) : null}
    </>
  );
}
