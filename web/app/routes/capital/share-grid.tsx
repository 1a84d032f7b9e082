import type { WhoIsTold } from '@tapeline/db/operations/capital/tell-investors.ts';
import { basisText, type LineBasis } from '@tapeline/domain/capital/line-basis.ts';
import { compare, type DecimalText, isZero, subtract, sum } from '@tapeline/domain/money/decimal.ts';
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import { Mail, TriangleAlert, Users } from 'lucide-react';
import { classNames } from '../../components/class-names.ts';
import { Figure, Money, Name } from '../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../components/figures/format.ts';
import { Button } from '../../components/forms/button.tsx';
import { StoredFileField } from '../../components/forms/stored-file-field.tsx';
import { type Column, DataTable } from '../../components/tables/data-table.tsx';
import { intentWith, OTHER_INTENT } from '../../http/list-edits.ts';
import type { Adjusting, OwnEntry } from './own-amounts.ts';
import { ExcuseDocument, InvestorName, SHARE_DIGITS } from './shares.tsx';

/** An investor's part of a call or distribution under review. */
export interface ShareRow {
  readonly id: string;
  readonly commitmentId: string;
  /** In force on the cut-off date. */
  readonly committed: DecimalText;
  readonly investor: string | null;
  readonly isFund: boolean;
  readonly percentage: DecimalText | null;
  /** In the order of the lines, with where each comes from. */
  readonly lines: readonly DecimalText[];
  readonly basis: readonly LineBasis[];
  readonly excuse: string | null;
  /** The id of a file. */
  readonly excuseDocument: string | null;
}

export interface GridLine {
  readonly title: string;
  /** By what it is divided. */
  readonly note: string;
  /** What was entered for all investors; null if it is what their amounts add up to. */
  readonly control: DecimalText | null;
  readonly mayBeExcused: boolean;
  /** A tax by each investor’s rate. */
  readonly isRate: boolean;
}

/** The buttons of the grid divide the amounts again, with what they change. */
const again = (fields: Readonly<Record<string, string>>) => ({
  type: 'submit' as const,
  name: OTHER_INTENT,
  value: intentWith('review', fields),
  formNoValidate: true,
});

/** What an amount has in small print: what makes it differ from the rule. */
function BasisNote({
  basis,
  amount,
  currency,
}: {
  basis: LineBasis | undefined;
  amount: DecimalText;
  currency: string;
}) {
  if (!basis) return null;
  const digits = minorUnitDigits(currency);
  if (basis.set === 'excused') {
    return basis.excused === undefined ? (
      <span className="block text-xs text-ink-3">excused</span>
    ) : (
      <s className="block text-xs text-ink-3">{formatFigure(basis.excused, digits)}</s>
    );
  }
  const note =
    basis.set === 'amount'
      ? 'entered'
      : basis.ratePercent !== undefined
        ? `${basis.ratePercent} %`
        : basis.spread === undefined
          ? null
          : `${formatFigure(basis.spread, digits)} taken over`;
  return note === null ? null : (
    <span className="block text-xs text-ink-3" title={basisText(basis, amount, currency)}>
      {note}
    </span>
  );
}

const INPUT = 'h-8 w-32 rounded-md border border-line-strong bg-paper px-2 text-right text-sm figures max-sm:h-10';

/** The fields of one amount of the row that is open. */
function PartFields({
  line,
  index,
  place,
  isChosen,
  row,
  adjusting,
}: {
  line: GridLine;
  index: number;
  place: number;
  isChosen: boolean;
  row: ShareRow;
  adjusting: Adjusting;
}) {
  const part = adjusting.entry.parts.find((one) => one.line === index && one.title === line.title);
  const name = `own[${place}].parts[${index}]`;
  const who = row.investor ?? 'the investor';
  return (
    <span className="flex flex-col items-end gap-1">
      <input type="hidden" name={`${name}.line`} value={index} />
      <input type="hidden" name={`${name}.title`} value={line.title} />
      <input
        name={`${name}.value`}
        defaultValue={part?.value ?? ''}
        placeholder={row.lines[index]}
        aria-label={`${line.title} of ${who}${line.isRate ? ', an amount or a rate such as 15%' : ''}`}
        inputMode={line.isRate ? 'text' : 'decimal'}
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: the person chose this amount to change it
        autoFocus={isChosen}
        className={INPUT}
      />
      {line.mayBeExcused ? (
        <label className="flex items-center gap-1.5 text-xs text-ink-2">
          <input type="checkbox" name={`${name}.excused`} defaultChecked={part?.excused ?? false} />
          Excused
        </label>
      ) : null}
    </span>
  );
}

/** Who is told of an investor's part: users, if there are any, or a contact. */
function ToldNote({ told }: { told: readonly { readonly by: string }[] | undefined }) {
  if (told === undefined) return null;
  const users = told.filter(({ by }) => by !== 'contact').length;
  const Icon = told.length === 0 ? TriangleAlert : users > 0 ? Users : Mail;
  return (
    <span className={classNames('flex items-center gap-1 text-xs', told.length === 0 ? 'text-warning' : 'text-ink-3')}>
      <Icon aria-hidden="true" size={12} strokeWidth={1.75} className="flex-none" />
      {told.length === 0 ? 'nobody is told' : users > 0 ? formatCount(users, 'user') : 'contact only'}
    </span>
  );
}

/** How many investors are told by users, by a contact only, and not at all: "12 by users, 3 by contact, 1 not told". */
function toldTotal(investors: WhoIsTold['investors']): string {
  const byUsers = investors.filter(({ told }) => told.some(({ by }) => by !== 'contact')).length;
  const not = investors.filter(({ told }) => told.length === 0).length;
  const byContact = investors.length - byUsers - not;
  return [
    ...(byUsers > 0 ? [`${formatFigure(byUsers)} by users`] : []),
    ...(byContact > 0 ? [`${formatFigure(byContact)} by contact`] : []),
    ...(not > 0 ? [`${formatFigure(not)} not told`] : []),
  ].join(', ');
}

/** The total of a line, and under it what was entered for it: the two are equal, or the difference is named. */
function LineTotal({ amounts, control }: { amounts: readonly DecimalText[]; control: DecimalText | null }) {
  const total = sum(amounts);
  const difference = control === null ? '0' : subtract(total, control);
  return (
    <>
      <Money value={total} zero="figure" />
      {control === null ? null : (
        <span className={classNames('block text-xs font-normal', isZero(difference) ? 'text-ink-3' : 'text-danger')}>
          {isZero(difference) ? (
            'as entered'
          ) : (
            <>
              <Money value={difference} /> to what was entered
            </>
          )}
        </span>
      )}
    </>
  );
}

/** What was issued before, under what is to be issued. */
const Was = ({ amount, now }: { amount: DecimalText; now: DecimalText }) => (
  <span className={classNames('block text-xs font-normal', compare(amount, now) === 0 ? 'text-ink-3' : 'text-warning')}>
    {compare(amount, now) === 0 ? (
      'as before'
    ) : (
      <>
        was <Money value={amount} zero="figure" />
      </>
    )}
  </span>
);

/**
 * Each investor's part of a call or distribution. Choosing an amount opens its row; the rest is divided again once it is
 * applied.
 * @param was what each commitment had, if it is issued again
 * @param own what was set for single investors
 * @param who who is told of each part; null if nobody is yet
 * @param after further columns
 */
export function ShareGrid<Row extends ShareRow>({
  rows,
  lines,
  currency,
  total,
  totalOf,
  was,
  adjusting,
  own,
  who,
  after,
}: {
  rows: readonly Row[];
  lines: readonly GridLine[];
  currency: string;
  /** The head of the column of totals. */
  total: string;
  totalOf: (row: Row) => DecimalText;
  was: Readonly<Record<string, DecimalText>> | null;
  adjusting: Adjusting | null;
  own: readonly OwnEntry[];
  who: WhoIsTold | null;
  after: readonly Column<Row>[];
}) {
  const isOpen = (row: Row) => adjusting?.commitment === row.commitmentId;
  const isSet = new Set(own.map(({ commitment }) => commitment));
  // What is typed follows what was applied before, and takes its place.
  const place = own.length;
  const investors = who && !who.isPast ? who.investors : [];
  const toldOf = new Map(investors.map(({ documentId, told }) => [documentId, told]));
  const excusable = lines.some(({ mayBeExcused }) => mayBeExcused);
  return (
    <DataTable
      caption="Each investor’s share"
      rows={rows}
      rowKey={({ commitmentId }) => commitmentId}
      isShown={isOpen}
      columns={[
        {
          head: investors.length > 0 ? 'Investor, who is told' : 'Investor',
          wraps: true,
          cell: (row) => (
            <>
              <InvestorName {...row} />
              <ToldNote told={toldOf.get(row.id)} />
              {isOpen(row) && adjusting ? (
                <OpenRow adjusting={adjusting} place={place} excusable={excusable} />
              ) : row.excuse === null ? null : (
                <span className="block text-xs text-ink-2">
                  Excused: {row.excuse} <ExcuseDocument id={row.excuseDocument} />
                </span>
              )}
            </>
          ),
          total: (
            <>
              {formatCount(rows.length, 'investor')}
              {investors.length > 0 ? (
                <span className="block text-xs font-normal text-ink-3">{toldTotal(investors)}</span>
              ) : null}
            </>
          ),
        },
        {
          head: 'Commitment, share (%)',
          numeric: true,
          cell: (row) => (
            <>
              <Money value={row.committed} />
              <span className="block text-xs text-ink-3">
                <Figure value={row.percentage} digits={SHARE_DIGITS} />
              </span>
            </>
          ),
          total: <Money value={sum(rows.map(({ committed }) => committed))} zero="figure" />,
        },
        ...lines.map(
          (line, index): Column<Row> => ({
            head: (
              <>
                <Name length={22}>{line.title}</Name>
                <span className="block text-xs font-normal text-ink-3">{line.note}</span>
              </>
            ),
            numeric: true,
            cell: (row) =>
              isOpen(row) && adjusting ? (
                <PartFields
                  line={line}
                  index={index}
                  place={place}
                  isChosen={adjusting.line === index}
                  row={row}
                  adjusting={adjusting}
                />
              ) : (
                <>
                  {adjusting ? (
                    <Money value={row.lines[index] ?? null} />
                  ) : (
                    <button
                      {...again({ adjusting: `${row.commitmentId}:${index}` })}
                      title={row.basis[index] ? basisText(row.basis[index], row.lines[index]!, currency) : undefined}
                      aria-label={`Change ${line.title} of ${row.investor ?? 'the investor'}: ${formatFigure(row.lines[index]!, minorUnitDigits(currency))}`}
                      className="-mx-1 min-h-6 rounded-sm px-1 hover:bg-hover hover:underline"
                    >
                      <Money value={row.lines[index] ?? null} />
                    </button>
                  )}
                  <BasisNote basis={row.basis[index]} amount={row.lines[index]!} currency={currency} />
                </>
              ),
            total: <LineTotal amounts={rows.map((row) => row.lines[index] ?? '0')} control={line.control} />,
          }),
        ),
        {
          head: total,
          numeric: true,
          cell: (row) => (
            <>
              <b className="font-semibold">
                <Money value={totalOf(row)} zero="figure" />
              </b>
              {was ? <Was amount={was[row.commitmentId] ?? '0'} now={totalOf(row)} /> : null}
            </>
          ),
          total: (
            <>
              <Money value={sum(rows.map(totalOf))} zero="figure" />
              {was ? <Was amount={sum(Object.values(was))} now={sum(rows.map(totalOf))} /> : null}
            </>
          ),
        },
        ...after,
        {
          head: <span className="sr-only">By rule</span>,
          control: true,
          cell: (row) =>
            isSet.has(row.commitmentId) && !adjusting ? (
              <Button {...again({ undo: row.commitmentId })} tone="quiet">
                Undo
              </Button>
            ) : null,
        },
      ]}
    />
  );
}

/** The reason and the buttons of the row that is open. */
function OpenRow({ adjusting, place, excusable }: { adjusting: Adjusting; place: number; excusable: boolean }) {
  const { commitment, entry, problem } = adjusting;
  return (
    <span className="mt-1.5 flex flex-col gap-1.5">
      <input type="hidden" name={`own[${place}].commitment`} value={commitment} />
      <input type="hidden" name={`own[${place}].isTyped`} value="on" />
      {problem ? (
        <span role="alert" className="text-xs text-danger">
          {problem}
        </span>
      ) : null}
      {excusable ? (
        <input
          name={`own[${place}].reason`}
          defaultValue={entry.reason}
          aria-label="Reason, if the investor is excused"
          placeholder="Reason, if excused"
          maxLength={500}
          className="h-8 w-full min-w-40 rounded-md border border-line-strong bg-paper px-2 text-sm max-sm:h-10"
        />
      ) : null}
      {excusable ? (
        <StoredFileField
          name={`own[${place}].upload`}
          label="Document of the excuse"
          stored={{ name: `own[${place}].document`, value: entry.document ?? '' }}
        />
      ) : null}
      <span className="flex flex-wrap gap-2">
        <Button type="submit" tone="primary">
          Apply
        </Button>
        <Button {...again({ cancel: 'on' })}>Cancel</Button>
      </span>
      <span className="text-xs text-ink-3">Blank amounts follow their rule.</span>
    </span>
  );
}
