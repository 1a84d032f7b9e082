import { CAPITAL_ACTION_LABELS } from '@tapeline/domain/capital/activity-statement.ts';
import {
  ACTIVITY_TITLE,
  activityBasis,
  type CurrencyActivity,
  closingLines,
  type InvestorActivity,
  type NamedActivity,
} from '@tapeline/domain/capital/print/activity.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import { joined } from '@tapeline/domain/printing/printed-figures.ts';
import { type CellStyle, type WrittenCell, writeWorkbook } from '@tapeline/sheets/workbook-writer.ts';

const text = (of: string, style: CellStyle = 'plain'): WrittenCell => ({ text: of, style });
const amountsIn =
  (currency: string) =>
  (value: DecimalText): WrittenCell => ({
    number: value,
    format: { digits: minorUnitDigits(currency) },
    style: 'plain',
  });

/**
 * The activity of an investor over its commitments as an Excel workbook: a sheet for each currency. The same statement
 * gives the same bytes.
 */
export function investorActivityWorkbook(statement: InvestorActivity): Promise<Buffer> {
  const { issuer, investorTitle, cutOffDate, issueDate, currencies } = statement;
  const head = (currency: string | null): WrittenCell[][] => [
    [text(ACTIVITY_TITLE, 'title')],
    [text(joined(investorTitle, 'all commitments', 'unaudited'))],
    [],
    [text('Manager'), text(issuer)],
    [text('Investor'), text(investorTitle, 'strong')],
    [text('As of'), { date: cutOffDate }],
    ...(currency === null
      ? [[text('The investor has no commitments in force.')]]
      : [[text('Currency'), text(currency)]]),
    [],
  ];
  const sheetOf = ({ currency, entries, closing }: CurrencyActivity) => {
    const amount = amountsIn(currency);
    return {
      name: currency,
      widths: [16, 34, 18, 28, 20, 20, 22],
      rows: [
        ...head(currency),
        [
          ...['Date', 'Fund', 'Entry', 'Number or title'].map((name) => text(name, 'head')),
          ...['Amount', 'Unfunded', 'Net capital called'].map((name) => text(name, 'headOfNumbers')),
        ],
        ...entries.map((entry): WrittenCell[] => [
          { date: entry.date },
          text(entry.fundTitle),
          text(CAPITAL_ACTION_LABELS[entry.actionType]),
          text(entry.title ?? ''),
          ...[entry.amount, entry.unfunded, entry.netCapitalCalled].map(amount),
        ]),
        [],
        ...closingLines({ closing }).map(([label, sum]) => [text(label, 'strong'), null, null, null, amount(sum)]),
        [],
        [text(activityBasis)],
      ],
    };
  };
  return writeWorkbook({
    title: joined(ACTIVITY_TITLE, investorTitle, cutOffDate),
    author: issuer,
    created: `${issueDate}T00:00:00.000Z`,
    sheets:
      currencies.length === 0 ? [{ name: 'Activity', widths: [16, 34], rows: head(null) }] : currencies.map(sheetOf),
  });
}

/** An activity statement as an Excel workbook of one sheet. The same statement gives the same bytes. */
export function activityWorkbook(statement: NamedActivity): Promise<Buffer> {
  const { issuer, fundTitle, className, investorTitle, currency, cutOffDate, issueDate, entries } = statement;
  const amount = amountsIn(currency);
  const rows: WrittenCell[][] = [
    [text(ACTIVITY_TITLE, 'title')],
    [text(joined(investorTitle, fundTitle, className, 'unaudited'))],
    [],
    [text('Manager'), text(issuer)],
    [text('Investor'), text(investorTitle, 'strong')],
    [text('As of'), { date: cutOffDate }],
    [text('Currency'), text(currency)],
    [],
    [
      text('Date', 'head'),
      text('Entry', 'head'),
      text('Number or title', 'head'),
      text('Amount', 'headOfNumbers'),
      text('Unfunded', 'headOfNumbers'),
      text('Net capital called', 'headOfNumbers'),
    ],
    ...entries.map((entry): WrittenCell[] => [
      { date: entry.date },
      text(CAPITAL_ACTION_LABELS[entry.actionType]),
      text(entry.title ?? ''),
      amount(entry.amount),
      amount(entry.unfunded),
      amount(entry.netCapitalCalled),
    ]),
    [],
    ...closingLines(statement).map(([label, sum]): WrittenCell[] => [text(label, 'strong'), null, null, amount(sum)]),
    [],
    [text(activityBasis)],
  ];
  return writeWorkbook({
    title: joined(ACTIVITY_TITLE, investorTitle, fundTitle, cutOffDate),
    author: issuer,
    created: `${issueDate}T00:00:00.000Z`,
    sheets: [{ name: 'Activity', widths: [16, 18, 28, 20, 20, 22], rows }],
  });
}
