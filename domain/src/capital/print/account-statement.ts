import { formatCalendarDate } from '../../dates/calendar-date.ts';
import { isZero, negate, toNumber } from '../../money/decimal.ts';
import { formatPercent, formatShort } from '../../money/format-figure.ts';
import type { PrintedBlock, PrintedDocument } from '../../printing/printed-document.ts';
import { amountsIn, joined, multipleText } from '../../printing/printed-figures.ts';
import { figures, tableOf, texts } from '../../printing/printed-table.ts';
import type { CapitalAccountLines } from '../capital-account.ts';
import {
  type CapitalAccountStatement,
  hasTransfers,
  netCapitalActivity,
  netResult,
  STATEMENT_PERIODS,
  type StatementPeriod,
} from '../capital-account-statement.ts';
import { fundTitle, holdingFact, letterOf } from './letter.ts';

/** A line of the statement: of its account, or a subtotal. */
export interface StatementLine {
  readonly label: string;
  readonly of: (lines: CapitalAccountLines) => string;
  readonly style: 'opening' | 'detail' | 'subtotal' | 'closing';
}

const detail = (label: string, name: keyof CapitalAccountLines): StatementLine => ({
  label,
  of: (lines) => lines[name] ?? '0',
  style: 'detail',
});

const TRANSFERS = detail('Transfers of the interest', 'transfers');

/** Opening balance + net capital activity + net result = closing balance. */
const STATEMENT_ROWS: readonly StatementLine[] = [
  { label: 'Opening balance', of: ({ opening }) => opening, style: 'opening' },
  detail('Contributions', 'contributions'),
  detail('Distributions', 'distributions'),
  TRANSFERS,
  { label: 'Net capital activity', of: netCapitalActivity, style: 'subtotal' },
  detail('Investment income', 'investmentIncome'),
  detail('Fees and expenses', 'feesAndExpenses'),
  detail('Taxes', 'taxes'),
  detail('Realized gains', 'realizedGains'),
  detail('Write-offs', 'writeOffs'),
  detail('Change in unrealized value', 'unrealizedChange'),
  { label: 'Net result', of: netResult, style: 'subtotal' },
  { label: 'Closing balance', of: ({ closing }) => closing, style: 'closing' },
];

/** The rows of a statement, with transfers if there are some. */
export const statementRows = (statement: Pick<CapitalAccountStatement, 'periods'>): readonly StatementLine[] =>
  STATEMENT_ROWS.filter((row) => row !== TRANSFERS || hasTransfers(statement));

export const PERIOD_LABELS = { quarter: 'Quarter', yearToDate: 'Year to date', sinceInception: 'Inception to date' };

export const periodDates = ({ from, to }: StatementPeriod): string => {
  const [first, last] = [formatCalendarDate(from), formatCalendarDate(to)];
  const year = first.slice(-5);
  return `${last.endsWith(year) ? first.slice(0, -5) : first} \u2013 ${last}`;
};

const ENDS_OF_QUARTERS = ['03-31', '06-30', '09-30', '12-31'];

export const statementTitle = ({ cutOffDate }: Pick<CapitalAccountStatement, 'cutOffDate'>): string =>
  `${ENDS_OF_QUARTERS.includes(cutOffDate.slice(5)) ? 'Quarter ended' : 'As of'} ${formatCalendarDate(cutOffDate)}`;

const joinedNames = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** What a statement covers, how its figures are calculated, and why some are missing. */
export function statementBasis(statement: CapitalAccountStatement): string {
  const { navDate, cutOffDate, periods, netIrr, covers = [] } = statement;
  const unknown = STATEMENT_PERIODS.filter((name) => periods[name].lines === null);
  return [
    covers.length > 0 ? `The figures add up the commitments to ${joinedNames(covers)}.` : '',
    'The closing balance is the net asset value at the end of the period. The change in unrealized value is the balancing line: it is what the other lines do not explain.',
    navDate !== null && navDate < cutOffDate
      ? `The net asset value of ${formatCalendarDate(navDate)} was rolled forward with the calls, distributions and write-offs since.`
      : '',
    unknown.length > 0
      ? `n/a (${unknown.map((name) => PERIOD_LABELS[name].toLowerCase()).join(', ')}): no net asset value is recorded at both ends of the period.`
      : '',
    netIrr.percent === null
      ? `Net IRR n/a: ${netIrr.reason}.`
      : 'The net IRR uses dated cash flows, actual/365, with the closing balance as the last flow. It is after fees, expenses and taxes.',
    'Multiples are of contributions to date.',
  ]
    .filter(Boolean)
    .join(' ');
}

/** The chart's label of a quarter: "Q3". */
const quarterOf = (date: string): string => `Q${Math.ceil(Number(date.slice(5, 7)) / 3)}`;

function historyBlock({ history, fund }: CapitalAccountStatement): PrintedBlock[] {
  const known = history.flatMap(({ date, closing }) => (closing === null ? [] : [{ date, closing }]));
  if (known.length < 2) return [];
  return [
    {
      kind: 'bars',
      title: 'Closing balance by quarter',
      note: fund.currency,
      bars: known.map(({ date, closing }, index) => {
        const year = date.slice(0, 4);
        return {
          label: quarterOf(date),
          group: year === known[index - 1]?.date.slice(0, 4) ? undefined : year,
          value: toNumber(closing),
          shown: formatShort(closing),
        };
      }),
    },
  ];
}

export function printCapitalAccountStatement(statement: CapitalAccountStatement): PrintedDocument {
  const { fund, cutOffDate, periods, investor, netIrr } = statement;
  const amount = amountsIn(fund.currency);
  const date = formatCalendarDate(cutOffDate);
  const side = (
    title: string,
    labelWidth: number,
    pairs: readonly (readonly [label: string, value: string])[],
  ): PrintedBlock =>
    tableOf(pairs, {
      title,
      isRoomy: true,
      columns: [texts('', labelWidth, ([label]) => label), figures('', 1, ([, value]) => value)],
      looks: (pair) => ({ isStrong: pair === pairs.at(-1) }),
    });
  return {
    ...letterOf(statement),
    title: 'Capital account statement',
    subtitle: joined(statementTitle(statement), fundTitle(fund), 'unaudited'),
    footer: joined(fund.title, `capital account, ${date}`, investor.formalName, 'confidential'),
    blocks: [
      {
        kind: 'addressee',
        name: investor.formalName,
        lines: investor.address,
        facts: [
          { label: 'Statement date', value: formatCalendarDate(statement.issueDate) },
          { label: 'Investor code', value: investor.code },
          { label: 'Currency', value: fund.currency },
          ...holdingFact(statement),
          { label: 'Closing balance', value: amount(periods.sinceInception.lines?.closing ?? null) },
        ],
      },
      tableOf(statementRows(statement), {
        title: '',
        isRoomy: true,
        columns: [
          texts('', 2.4, ({ label }) => label),
          ...STATEMENT_PERIODS.map((name) => ({
            ...figures(PERIOD_LABELS[name], 1.5, ({ of }: StatementLine) => {
              const { lines } = periods[name];
              return amount(lines && of(lines));
            }),
            note: periodDates(periods[name]),
          })),
        ],
        looks: ({ style }) => ({
          isStrong: style !== 'detail',
          isIndented: style === 'detail',
          isResult: style === 'closing',
        }),
      }),
      {
        kind: 'sides',
        sides: [
          {
            width: 1,
            blocks: [
              side('Commitment', 1.4, [
                ['Commitment', amount(statement.commitment)],
                ['Contributions to date', amount(negate(statement.called))],
                ...(isZero(statement.calledNotDue)
                  ? []
                  : [['Called, not yet due', amount(negate(statement.calledNotDue))] as const]),
                ['Recallable distributions', amount(statement.recallable)],
                [`Unfunded on ${date}`, amount(statement.unfunded)],
              ]),
            ],
          },
          {
            width: 1,
            blocks: [
              side('Performance since inception', 2.8, [
                ['Net IRR', netIrr.percent === null ? 'n/a' : formatPercent(netIrr.percent)],
                ['DPI, distributions / contributions', multipleText(statement.dpi)],
                ['RVPI, closing balance / contributions', multipleText(statement.rvpi)],
                ['TVPI', multipleText(statement.tvpi)],
              ]),
            ],
          },
        ],
      },
      {
        kind: 'sides',
        sides: [
          { width: 1, blocks: historyBlock(statement) },
          { width: 1, blocks: [{ kind: 'text', title: 'Basis', text: statementBasis(statement), isSmall: true }] },
        ],
      },
    ],
  };
}
