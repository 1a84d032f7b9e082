import { useSearchParams } from '@remix-run/react';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { type DecimalText, negate } from '@tapeline/domain/money/decimal.ts';
import {
  type CurrencyProof,
  PAYMENT_COLUMN_LABELS,
  PAYMENT_COLUMNS,
  type UnmatchedPayments,
} from '@tapeline/domain/pools/payment-proof.ts';
import { provedText } from '@tapeline/domain/pools/proof-words.ts';
import { Money, Mono } from '../../../../components/figures/figures.tsx';
import { formatCount, formatFigure, writtenAmount } from '../../../../components/figures/format.ts';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { Select } from '../../../../components/forms/fields.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { Pagination } from '../../../../components/page/pagination.tsx';
import { Panel, Section } from '../../../../components/page/section.tsx';
import { TableSection } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import { ChoiceBar, ChoiceField, ChoiceForm } from '../choice-bar.tsx';
import { LISTED_ASSETS, type ShownPair } from '../shown-pair.ts';
import type { ForwardView } from '../tape-head.ts';

type Payments = NonNullable<ForwardView['rolled']>['payments'];
type Opened = NonNullable<Payments['opened']>;
type Proof = NonNullable<Opened['proof']>;

/** What a payment file among the tape's documents explains of the change, loan by loan. */
export function ForwardPayments({ payments, pair }: { payments: Payments; pair: ShownPair }) {
  const { documents, file, problem, opened } = payments;
  if (documents.length === 0 && file === null) {
    return (
      <Section title="Proof with payments">
        <Panel>
          <EmptyState title="No payment file">
            Upload a list of payments by loan (CSV or Excel) with the tape, among its other documents.
          </EmptyState>
        </Panel>
      </Section>
    );
  }
  return (
    <>
      <Section title="Proof with payments" note="opening balance and payments against the closing balance">
        <Files payments={payments} pair={pair} />
        {problem ? <Notice tone="danger">{problem}</Notice> : null}
      </Section>
      {opened?.proof ? <Found proof={opened.proof} pair={pair} /> : null}
    </>
  );
}

/** The file, and after it was looked at, its columns. */
function Files({ payments: { documents, file, opened }, pair }: { payments: Payments; pair: ShownPair }) {
  const none = { value: '', label: 'None' };
  return (
    <ChoiceBar>
      <ChoiceForm kept={{ view: 'forward', against: pair.against }} submit={opened ? 'Prove' : 'Read the file'}>
        <ChoiceField label="Payment file">
          {(field) => (
            <Select
              {...field}
              key={file ?? 'none'}
              name="file"
              defaultValue={String(file ?? documents[0]?.index ?? '')}
              choices={documents.map(({ index, name }) => ({ value: String(index), label: name }))}
            />
          )}
        </ChoiceField>
        {opened && opened.sheets.length > 1 ? (
          <ChoiceField label="Sheet">
            {(field) => (
              <Select
                {...field}
                name="sheet"
                defaultValue={opened.sheetName}
                choices={opened.sheets.map((name) => ({ value: name, label: name }))}
              />
            )}
          </ChoiceField>
        ) : null}
        {opened
          ? PAYMENT_COLUMNS.map((column) => (
              <ChoiceField key={column} label={PAYMENT_COLUMN_LABELS[column]} problem={opened.problems[column]}>
                {(field) => (
                  <Select
                    {...field}
                    key={`${file} ${opened.sheetName}`}
                    name={`column.${column}`}
                    defaultValue={opened.mapping[column] ?? ''}
                    choices={[none, ...opened.headers.map((header) => ({ value: header, label: header }))]}
                  />
                )}
              </ChoiceField>
            ))
          : null}
      </ChoiceForm>
    </ChoiceBar>
  );
}

function Found({ proof, pair }: { proof: Proof; pair: ShownPair }) {
  return (
    <>
      <Coverage proof={proof} />
      {proof.currencies.map((one) => (
        <CurrencyTable key={one.currency} proof={one} pair={pair} />
      ))}
      {proof.unmatched.length > 0 ? <Unmatched unmatched={proof.unmatched} /> : null}
      <Unproved list={proof.list} pair={pair} />
    </>
  );
}

/** What was read of the file, and what was not. */
function Coverage({ proof: { rows, otherPeriod, unreadRows, unread } }: { proof: Proof }) {
  const words = [
    `${formatCount(rows, 'payment')} read`,
    ...(otherPeriod > 0 ? [`${formatFigure(otherPeriod)} outside the period between the two tapes`] : []),
  ];
  return (
    <>
      <p className="-mt-4 mb-[18px] text-xs text-ink-3">{words.join(', ')}.</p>
      {unreadRows > 0 ? (
        <Notice tone="warning">
          {formatCount(unreadRows, 'row')} left out, because a cell could not be read:{' '}
          {unread
            .map(({ row, column, cell }) => `row ${row}, ${PAYMENT_COLUMN_LABELS[column].toLowerCase()} “${cell}”`)
            .join('; ')}
          .
        </Notice>
      ) : null}
    </>
  );
}

function CurrencyTable({ proof, pair }: { proof: CurrencyProof; pair: ShownPair }) {
  const { currency, notProvable, added } = proof;
  const level = (label: string, amount: DecimalText) => ({ label, amount, isLevel: true });
  const line = (label: string, amount: DecimalText) => ({ label, amount, isLevel: false });
  const rows = [
    level(`Opening, ${formatCalendarDate(pair.before)}`, proof.opening),
    line('Advances', proof.advance),
    line('Principal', negate(proof.principal)),
    line('Written off', negate(proof.writtenOff)),
    line('Unexplained', proof.unexplained),
    level(`Closing, ${formatCalendarDate(pair.after)}`, proof.closing),
  ];
  const left = [
    { size: notProvable, words: 'of the earlier tape that cannot be followed' },
    { size: added, words: 'that are only on the later tape' },
  ].filter(({ size }) => size.count > 0);
  return (
    <TableSection
      title={`Payments, ${currency}`}
      note={provedText(proof)}
      rows={rows}
      rowKey={({ label }) => label}
      columns={[
        {
          head: 'Change',
          wraps: true,
          cell: ({ label, isLevel }) => <span className={isLevel ? 'font-semibold' : undefined}>{label}</span>,
        },
        {
          head: `Balance (${currency})`,
          numeric: true,
          cell: ({ amount, isLevel }) => (
            <span className={isLevel ? 'font-semibold' : undefined}>
              <Money value={{ sum: amount, currency }} zero="figure" className="!text-inherit" />
            </span>
          ),
        },
      ]}
    >
      {left.length > 0 ? (
        <p className="mt-2 text-xs text-ink-3">
          Without{' '}
          {left
            .map(
              ({ size, words }) =>
                `${formatCount(size.count, 'asset')} ${words} (${writtenAmount({ sum: size.balance, currency })})`,
            )
            .join(' and ')}
          .
        </p>
      ) : null}
    </TableSection>
  );
}

/** Payments that prove nothing, because their loan is not among those that can be proved. */
function Unmatched({ unmatched }: { unmatched: readonly UnmatchedPayments[] }) {
  return (
    <TableSection
      title="Payments of other loans"
      note="not on the earlier tape, without an id, or in another currency"
      rows={unmatched}
      rowKey={({ currency }) => String(currency)}
      columns={[
        { head: 'Currency', cell: ({ currency }) => currency ?? 'Not named' },
        { head: 'Loans', numeric: true, cell: ({ loans }) => formatFigure(loans) },
        { head: 'Principal', money: ({ principal }) => principal },
        { head: 'Advances', money: ({ advance }) => advance },
        { head: 'Written off', money: ({ writtenOff }) => writtenOff },
      ]}
    />
  );
}

function Unproved({ list: { loans, total }, pair }: { list: Proof['list']; pair: ShownPair }) {
  const [search] = useSearchParams();
  const file = new URLSearchParams(search);
  file.delete('view');
  file.set('against', pair.against);
  file.set('part', 'payments');
  file.set('format', 'xlsx');
  const money =
    (read: (loan: Proof['list']['loans'][number]) => DecimalText) => (loan: Proof['list']['loans'][number]) => ({
      sum: read(loan),
      currency: loan.currency,
    });
  return (
    <TableSection
      title="Not proved"
      note={`${formatCount(total, 'loan')} with a difference of more than 0.01`}
      more={
        total > 0 ? (
          <LinkButton external to={`${paths.tapeForwardFiles(pair.tapeId)}?${file}`}>
            Excel
          </LinkButton>
        ) : null
      }
      caption="Loans that are not proved"
      rows={loans}
      rowKey={({ beforeRow }) => String(beforeRow)}
      columns={[
        { head: 'Asset', cell: ({ assetId }) => <Mono>{assetId}</Mono> },
        {
          head: `Opening ${formatCalendarDate(pair.before)}`,
          money: money(({ opening }) => opening),
          withCurrency: true,
        },
        { head: 'Advances', money: money(({ advance }) => advance) },
        { head: 'Principal', money: money(({ principal }) => principal) },
        { head: 'Written off', money: money(({ writtenOff }) => writtenOff) },
        { head: 'Expected', money: money(({ expected }) => expected), zero: 'figure' },
        { head: `Closing ${formatCalendarDate(pair.after)}`, money: money(({ closing }) => closing), zero: 'figure' },
        { head: 'Difference', money: money(({ difference }) => difference) },
      ]}
      empty={<EmptyState title="Every loan is proved">The payments explain each closing balance.</EmptyState>}
      below={<Pagination total={total} limit={LISTED_ASSETS} noun="loans" name="unproved" />}
    />
  );
}
