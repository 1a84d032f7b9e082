import { CAPITAL_ACTION_LABELS } from '@tapeline/domain/capital/activity-statement.ts';
import {
  ACTIVITY_TITLE,
  activityBasis,
  closingLines,
  type NamedActivity,
} from '@tapeline/domain/capital/print-activity.ts';
import { joined } from '@tapeline/domain/capital/print-parts.ts';
import { minorUnitDigits } from '@tapeline/domain/money/currencies.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { type CellStyle, type WrittenCell, writeWorkbook } from '@tapeline/sheets/workbook-writer.ts';

/** An activity statement as an Excel workbook of one sheet. The same statement gives the same bytes. */
export function activityWorkbook(statement: NamedActivity): Promise<Buffer> {
  const { issuer, fundTitle, className, investorTitle, currency, cutOffDate, issueDate, entries } = statement;
  const text = (of: string, style: CellStyle = 'plain'): WrittenCell => ({ text: of, style });
  const amount = (value: DecimalText): WrittenCell => ({
    number: value,
    format: { digits: minorUnitDigits(currency) },
    style: 'plain',
  });
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
