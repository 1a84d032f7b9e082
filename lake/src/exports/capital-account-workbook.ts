import { type CapitalAccountStatement, STATEMENT_PERIODS } from '@tapeline/domain/capital/capital-account-statement.ts';
import {
  PERIOD_LABELS,
  periodDates,
  statementBasis,
  statementRows,
  statementTitle,
} from '@tapeline/domain/capital/print/account-statement.ts';
import { fundTitle } from '@tapeline/domain/capital/print/letter.ts';
import { type DecimalText, negate } from '@tapeline/domain/money/decimal.ts';
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import { joined } from '@tapeline/domain/printing/printed-figures.ts';
import {
  type CellStyle,
  type NumberFormat,
  type WrittenCell,
  writeWorkbook,
} from '@tapeline/sheets/workbook-writer.ts';

/** A capital account statement as an Excel workbook of one sheet. The same statement gives the same bytes. */
export function capitalAccountWorkbook(statement: CapitalAccountStatement): Promise<Buffer> {
  const { fund, investor, periods, letterhead, netIrr, history } = statement;
  const money: NumberFormat = { digits: minorUnitDigits(fund.currency) };
  const text = (of: string, style: CellStyle = 'plain'): WrittenCell => ({ text: of, style });
  const figure = (value: DecimalText | null, format: NumberFormat, style: CellStyle = 'plain'): WrittenCell =>
    value === null ? { text: 'n/a', style } : { number: value, format, style };
  const amount = (value: DecimalText | null, style?: CellStyle): WrittenCell => figure(value, money, style);
  const head = (...labels: readonly string[]): WrittenCell[] =>
    labels.map((label, index) => text(label, index === 0 ? 'head' : 'headOfNumbers'));
  const rows: WrittenCell[][] = [
    [text('Capital account statement', 'title')],
    [text(joined(statementTitle(statement), fundTitle(fund), 'unaudited'))],
    [],
    [text('Manager'), text(letterhead.name)],
    [text('Investor'), text(investor.formalName, 'strong')],
    [text('Investor code'), text(investor.code)],
    [text('Statement date'), { date: statement.issueDate }],
    [text('As of'), { date: statement.cutOffDate }],
    [text('Currency'), text(fund.currency)],
    [
      text(statement.holdingOf === 'class' ? 'Share of the class' : 'Share of the fund'),
      figure(statement.holdingPercent, 'percent'),
    ],
    [],
    head(fund.currency, ...STATEMENT_PERIODS.map((name) => PERIOD_LABELS[name])),
    [null, ...STATEMENT_PERIODS.map((name) => text(periodDates(periods[name]), 'plain'))],
    ...statementRows(statement).map(({ label, of, style: kind }): WrittenCell[] => {
      const style: CellStyle = kind === 'detail' ? 'plain' : kind === 'closing' ? 'total' : 'strong';
      return [
        text(kind === 'detail' ? `    ${label}` : label, style),
        ...STATEMENT_PERIODS.map((name) => {
          const { lines } = periods[name];
          return amount(lines && of(lines), style);
        }),
      ];
    }),
    [],
    head('Commitment', fund.currency),
    [text('Commitment'), amount(statement.commitment)],
    [text('Contributions to date'), amount(negate(statement.called))],
    [text('Called, not yet due'), amount(negate(statement.calledNotDue))],
    [text('Recallable distributions'), amount(statement.recallable)],
    [text('Unfunded', 'total'), amount(statement.unfunded, 'total')],
    [],
    head('Performance since inception', ''),
    [text('Net IRR'), figure(netIrr.percent, 'percent'), ...(netIrr.reason === null ? [] : [text(netIrr.reason)])],
    [text('DPI'), figure(statement.dpi, 'multiple')],
    [text('RVPI'), figure(statement.rvpi, 'multiple')],
    [text('TVPI'), figure(statement.tvpi, 'multiple')],
    [],
    head('Closing balance by quarter', fund.currency),
    ...history.map(({ date, closing }): WrittenCell[] => [{ date }, amount(closing)]),
    [],
    [text('Basis', 'head')],
    ...sentences(statementBasis(statement)).map((sentence) => [text(sentence)]),
  ];
  return writeWorkbook({
    title: joined('Capital account statement', investor.formalName, statementTitle(statement)),
    author: letterhead.name,
    created: `${statement.issueDate}T00:00:00.000Z`,
    sheets: [{ name: 'Capital account', widths: [34, 24, 24, 28], rows }],
  });
}

/** A row for each sentence: a cell of several lines would have to be made higher by hand. */
const sentences = (paragraph: string): string[] => paragraph.split(/(?<=\.) (?=[A-Zn])/);
