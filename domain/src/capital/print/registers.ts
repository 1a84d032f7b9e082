import { formatCalendarDate } from '../../dates/calendar-date.ts';
import { add, type DecimalText, isZero } from '../../money/decimal.ts';
import { joined } from '../../printing/printed-figures.ts';
import type { Register, RegisterColumn } from '../../printing/register.ts';
import type { CapitalFigures } from '../capital-figures.ts';
import type { DistributionComponent } from '../distribution-totals.ts';
import { basisText, type LineBasis } from '../line-basis.ts';

/** What every register of a fund says about itself. */
export interface RegisterOf {
  readonly issuer: string;
  readonly issueDate: string;
  readonly fundTitle: string;
  readonly className: string | null;
  readonly currency: string;
}

export interface RegisteredInvestor {
  readonly investor: string | null;
  readonly code: number | null;
  readonly className: string | null;
}

const INVESTOR: readonly RegisterColumn[] = [
  { key: 'investor', label: 'Investor', kind: 'text', characters: 36 },
  { key: 'investorCode', label: 'Investor code', kind: 'text', characters: 14 },
  { key: 'class', label: 'Class', kind: 'text', characters: 14 },
];
const investorCells = ({ investor, code, className }: RegisteredInvestor) => [
  investor,
  code === null ? null : String(code),
  className,
];

const amount = (key: string, label: string, more: Partial<RegisterColumn> = {}): RegisterColumn => ({
  key,
  label,
  kind: 'amount',
  isTotalled: true,
  ...more,
});

const SHARE: RegisterColumn = {
  key: 'share',
  label: 'Share of the commitments (%)',
  kind: 'percentage',
  characters: 26,
};
const TRACE: RegisterColumn = { key: 'basis', label: 'Where it comes from', kind: 'text', characters: 60 };

const head = ({ issuer, fundTitle, className }: RegisterOf, ...facts: Register['facts']): Register['facts'] => [
  ['Fund', joined(fundTitle, className)],
  ['Manager', issuer],
  ...facts,
];

/** Where the amounts of an investor come from, one rule after the other. */
function traceText(
  titles: readonly string[],
  amounts: readonly DecimalText[],
  basis: readonly LineBasis[],
  currency: string,
): string | null {
  const texts = basis.flatMap((one, index) => {
    const of = amounts[index];
    if (of === undefined || (titles.length > 1 && isZero(of) && one.set === undefined)) return [];
    const text = basisText(one, of, currency);
    return [titles.length > 1 ? `${titles[index]}: ${text}` : text];
  });
  return texts.length > 0 ? texts.join('; ') : null;
}

export interface CallRegister extends RegisterOf {
  /** Whether the interest of the shares is default interest. */
  readonly isLate?: boolean;
  readonly callNumber: string;
  readonly cutOffDate: string;
  readonly dueDate: string;
  readonly purposes: readonly { readonly title: string }[];
  readonly shares: readonly (RegisteredInvestor & {
    readonly percentage: DecimalText | null;
    /** In the order of the purposes. */
    readonly amounts: readonly DecimalText[];
    readonly basis: readonly LineBasis[];
    readonly excuse: string | null;
    readonly amount: DecimalText;
    /** For having closed later or paid late, on top of the amount; null if the call asks for none. */
    readonly interest: DecimalText | null;
    readonly before: DecimalText;
    readonly after: DecimalText;
    readonly dueDate: string;
    /** Null until the call is issued. */
    readonly reference: string | null;
  })[];
}

/** Each investor's share of a call, by purpose. */
export function callRegister(call: CallRegister): Register {
  const { callNumber, cutOffDate, dueDate, purposes, shares, currency, fundTitle, issueDate, issuer } = call;
  const titles = purposes.map(({ title }) => title);
  const keys = titles.map((title, index) => `purpose ${index + 1}: ${title}`);
  const hasInterest = shares.some(({ interest }) => interest !== null);
  return {
    title: `Capital call ${callNumber}`,
    name: 'Shares of the call',
    fileName: `Capital call ${callNumber} ${fundTitle} ${cutOffDate}`,
    issuer,
    issueDate,
    currency,
    facts: head(call, ['Cut-off date', formatCalendarDate(cutOffDate)], ['Due date', formatCalendarDate(dueDate)]),
    columns: [
      ...INVESTOR,
      SHARE,
      ...keys.map((key, index) => amount(key, titles[index]!)),
      amount('amount', 'This call', {
        formula: ({ cell }) => `SUM(${cell(keys[0]!)}:${cell(keys.at(-1)!)})`,
      }),
      ...(hasInterest
        ? [
            amount('interest', call.isLate ? 'Default interest' : 'Equalization interest'),
            amount('toPay', 'To pay', { formula: ({ cell }) => `${cell('amount')}+${cell('interest')}` }),
          ]
        : []),
      amount('unfundedBefore', 'Unfunded before'),
      amount('unfundedAfter', 'Unfunded after', {
        formula: ({ cell }) => `${cell('unfundedBefore')}-${cell('amount')}`,
      }),
      { key: 'dueDate', label: 'Due date', kind: 'date' },
      { key: 'reference', label: 'Payment reference', kind: 'text' },
      { key: 'excuse', label: 'Excused because', kind: 'text' },
      TRACE,
    ],
    rows: shares.map((share) => [
      ...investorCells(share),
      share.percentage,
      ...keys.map((_, index) => share.amounts[index] ?? '0'),
      share.amount,
      ...(hasInterest ? [share.interest ?? '0', add(share.amount, share.interest ?? '0')] : []),
      share.before,
      share.after,
      share.dueDate,
      share.reference,
      share.excuse,
      traceText(titles, share.amounts, share.basis, currency),
    ]),
    notes: [],
  };
}

export interface DistributionRegister extends RegisterOf {
  readonly callNumber: string;
  readonly cutOffDate: string;
  readonly isRecallable: boolean;
  readonly components: readonly (Pick<DistributionComponent, 'actionType'> & { readonly title: string })[];
  readonly shares: readonly (RegisteredInvestor & {
    readonly percentage: DecimalText | null;
    readonly principal: DecimalText;
    /** In the order of the components. */
    readonly amounts: readonly DecimalText[];
    /** Of the principal, and of each component. */
    readonly basis: readonly LineBasis[];
    readonly distributed: DecimalText;
    /** The end of the number of the account that it is paid to. */
    readonly paidTo: string | null;
  })[];
}

const isIncome = ({ actionType }: Pick<DistributionComponent, 'actionType'>) =>
  actionType === 'INTEREST' || actionType === 'CG';

/** Each investor's share of a distribution, by component. */
export function distributionRegister(distribution: DistributionRegister): Register {
  const { callNumber, cutOffDate, isRecallable, components, shares, currency, fundTitle, issueDate, issuer } =
    distribution;
  const titles = ['Principal', ...components.map(({ title }) => title)];
  const keys = components.map(({ title }, index) => `component ${index + 1}: ${title}`);
  return {
    title: `Distribution ${callNumber}`,
    name: 'Shares of the distribution',
    fileName: `Distribution ${callNumber} ${fundTitle} ${cutOffDate}`,
    issuer,
    issueDate,
    currency,
    facts: head(
      distribution,
      ['Cut-off date', formatCalendarDate(cutOffDate)],
      ['Principal', isRecallable ? 'can be called again' : 'cannot be called again'],
    ),
    columns: [
      ...INVESTOR,
      SHARE,
      amount('principal', 'Principal'),
      ...components.map((component, index) =>
        amount(keys[index]!, isIncome(component) ? component.title : `Less ${component.title}`),
      ),
      amount('distributed', 'Distributed', {
        formula: ({ cell }) =>
          components.reduce(
            (text, component, index) => `${text}${isIncome(component) ? '+' : '-'}${cell(keys[index]!)}`,
            cell('principal'),
          ),
      }),
      { key: 'paidTo', label: 'Paid to the account ending in', kind: 'text' },
      TRACE,
    ],
    rows: shares.map((share) => [
      ...investorCells(share),
      share.percentage,
      share.principal,
      ...keys.map((_, index) => share.amounts[index] ?? '0'),
      share.distributed,
      share.paidTo,
      traceText(titles, [share.principal, ...share.amounts], share.basis, currency),
    ]),
    notes: [],
  };
}

export interface CommitmentsRegister extends RegisterOf {
  readonly cutOffDate: string;
  readonly commitments: readonly (RegisteredInvestor & {
    readonly status: string;
    readonly closingDate: string;
    readonly maxCommitment: DecimalText;
    /** Null for a draft. */
    readonly active: DecimalText | null;
    readonly percentage: DecimalText | null;
    /** Null for a draft, and where the figures of a commitment are not shown. */
    readonly figures:
      | (Pick<CapitalFigures, 'called' | 'recallableCapital' | 'writtenOff' | 'unfunded' | 'distributed'> & {
          readonly nav: DecimalText | null;
          /** Issued, and not due yet. */
          readonly toPay: DecimalText;
        })
      | null;
  })[];
}

/** The commitments to a fund on a day, with what was called and distributed. */
export function commitmentsRegister(register: CommitmentsRegister): Register {
  const { cutOffDate, commitments, currency, fundTitle, issueDate, issuer } = register;
  const title = 'Commitments register';
  return {
    title,
    name: title,
    fileName: `${title} ${fundTitle} ${cutOffDate}`,
    issuer,
    issueDate,
    currency,
    facts: head(register, ['As of', formatCalendarDate(cutOffDate)]),
    columns: [
      ...INVESTOR,
      { key: 'status', label: 'Status', kind: 'text', characters: 12 },
      { key: 'closingDate', label: 'Closing date', kind: 'date' },
      amount('maxCommitment', 'Largest commitment'),
      amount('committed', 'Committed'),
      {
        ...SHARE,
        formula: ({ cell, total }) => `ROUND(${cell('committed')}/${total('committed')}*100,8)`,
      },
      amount('called', 'Called and due'),
      amount('notDue', 'Called, not yet due'),
      amount('recallable', 'Recallable'),
      amount('unfunded', 'Unfunded', {
        formula: ({ cell }) => `${cell('committed')}-${cell('called')}-${cell('notDue')}+${cell('recallable')}`,
      }),
      amount('distributed', 'Distributed'),
      amount('writtenOff', 'Written off'),
      amount('nav', 'Net asset value'),
    ],
    rows: commitments.map(({ figures, ...one }) => [
      ...investorCells(one),
      one.status,
      one.closingDate,
      one.maxCommitment,
      one.active,
      one.percentage,
      figures?.called ?? null,
      figures?.toPay ?? null,
      figures?.recallableCapital ?? null,
      figures?.unfunded ?? null,
      figures?.distributed ?? null,
      figures?.writtenOff ?? null,
      figures?.nav ?? null,
    ]),
    notes: ['Net asset values are the latest ones, plus calls due since, less distributions and write-offs since.'],
  };
}
