import { certificationText } from '../../certifications/certification-labels.ts';
import { type AcceptedCertificate, acceptedBlocks } from '../../certifications/print/accepted-blocks.ts';
import { formatCalendarDate } from '../../dates/calendar-date.ts';
import { formatInstant } from '../../dates/instant.ts';
import { AVAILABILITY_AT_CUT_OFF, AVAILABLE_BASE, BALANCE_AT_CUT_OFF } from '../../facilities/position-labels.ts';
import { isNegative, toNumber } from '../../money/decimal.ts';
import {
  formatAmount,
  formatCount,
  formatFigure,
  formatPercent,
  formatShort,
  writtenAmount,
} from '../../money/format-figure.ts';
import { shareOf } from '../../money/shares.ts';
import { MAX_PRINTED_ROWS, type PrintedBlock, type PrintedDocument } from '../../printing/printed-document.ts';
import { joined, UNKNOWN } from '../../printing/printed-figures.ts';
import { facilityFigures } from '../facility-figures.ts';
import type { BorrowingBaseResult } from '../result.ts';
import { endOf, waterfallOf } from '../waterfall.ts';
import { type CertificateState, stateNotices } from './certificate-state.ts';
import {
  adjustmentsTable,
  advanceTable,
  currencyTable,
  groupsTable,
  limitsTable,
  offsetTables,
  reservesTable,
  rulesTable,
  scopesTable,
  stepsTable,
  valuesTable,
  wholeGroupTables,
} from './certificate-tables.ts';

/** Groups listed in all. Those with excess come first. */
const MAX_GROUPS = 800;

/** A stored result with the names of what it was calculated from. */
export interface CertifiedBase extends CertificateState {
  readonly id: string;
  readonly cutOffDate: string;
  readonly calculatedAt: string;
  readonly result: BorrowingBaseResult;
  readonly transaction: { readonly title: string } | null;
  readonly noteTitle: string;
  /** Null if the contract was removed. */
  readonly contract: {
    readonly id: string;
    readonly revision: number;
    readonly since: string;
    /** What the borrower certifies, if the contract has a text of its own. */
    readonly certificationText?: string | null;
  } | null;
  readonly tape: ({ readonly name: string } & NonNullable<CertificateState['tape']>) | null;
  /** The published version of the loan tape. */
  readonly generationId: string;
  /** Labels of the fields that rules group and measure by. */
  readonly ruleLabels: Readonly<Record<string, string>>;
  /** What payments prove of the change since the tape before, in each currency. Omitted or empty without a payment file. */
  readonly proof?: readonly string[] | undefined;
  /** The unit of each value that is an average of a field. */
  readonly valueUnits: Readonly<Record<string, string>>;
}

/** Who signs the certificate, and who receives it. */
export interface CertificateParties {
  borrower: string;
  lender: string;
}

/**
 * The certificate of a borrowing base, to be printed. The same base gives the same document.
 * @param accepted the borrower's certificate that was accepted; without it, the document has lines to sign on
 */
export function certificateDocument(
  base: CertifiedBase,
  parties: CertificateParties,
  accepted?: AcceptedCertificate,
): PrintedDocument {
  const { result, contract, tape } = base;
  const { currency } = result;
  const name = [base.transaction?.title, base.noteTitle].filter(Boolean).join(', ');
  const cutOff = formatCalendarDate(base.cutOffDate);
  const rules = [rulesTable(result), limitsTable(result, base.ruleLabels)];
  const rest = [
    ...wholeGroupTables(result, base.ruleLabels),
    ...offsetTables(result, base.ruleLabels),
    ...scopesTable(result),
    advanceTable(result),
    ...reservesTable(result),
    ...adjustmentsTable(result),
    valuesTable(result, base.valueUnits),
    ...currencyTable(result),
  ];
  const signed = accepted ? acceptedBlocks(result, accepted, parties.borrower) : [];
  const used = [...rules, ...rest, ...signed].reduce(
    (sum, block) => sum + (block.kind === 'table' ? block.rows.length : 0),
    0,
  );
  const groups = groupsTable(result, base.ruleLabels, Math.min(MAX_GROUPS, MAX_PRINTED_ROWS - used - 50));
  const waterfall = waterfallOf(result);
  const drawable = waterfall.filter((bar) => bar.sum !== null && bar.currency === currency);
  return {
    title: 'Borrowing base certificate',
    subtitle: `${name}, ${cutOff}`,
    issuer: parties.borrower,
    reference: joined(currency, `as of ${cutOff}`),
    issuedAt: base.calculatedAt,
    footer: joined(parties.borrower, name, `borrowing base of ${cutOff}`),
    facts: [
      { label: 'Borrower', value: parties.borrower },
      { label: 'Lender', value: parties.lender },
      { label: 'Note', value: name },
      { label: 'Cut-off date', value: cutOff },
      {
        label: 'Contract',
        value: contract
          ? `Revision ${contract.revision}, in force from ${formatCalendarDate(contract.since)}`
          : UNKNOWN,
      },
      { label: 'Loan tape', value: tape?.name ?? 'removed' },
      { label: 'Currency', value: `${currency}, at the exchange rates of the tape` },
      { label: 'Calculated', value: `${formatInstant(base.calculatedAt)} UTC` },
      { label: 'Certificate', value: base.id },
    ],
    blocks: [
      keyFigures(result),
      { kind: 'notices', notices: noticesOf(base) },
      {
        kind: 'waterfall',
        title: `From pool to ${endOf(drawable)}`,
        note: currency,
        steps: drawable.map(({ label, sum, kind, step }) => ({
          label,
          value: toNumber(sum ?? '0'),
          shown: formatShort(sum ?? '0'),
          kind,
          tone: step === 'availability' ? 'result' : step === 'balance' ? 'quiet' : undefined,
        })),
      },
      stepsTable(waterfall),
      ...rules,
      groups,
      ...rest,
      inputsTable(base),
      ...(accepted
        ? signed
        : [
            {
              kind: 'signatures' as const,
              title: 'Certification',
              statement: certificationText(contract?.certificationText, cutOff),
              parties: [
                { role: 'For the borrower', name: parties.borrower },
                { role: 'For the lender', name: parties.lender },
              ],
            },
          ]),
    ],
  };
}

function keyFigures(result: BorrowingBaseResult): PrintedBlock {
  const { totals, currency } = result;
  const { utilizationPercent, cure } = facilityFigures(result);
  const breached = result.excessBreachDistribution.filter((rule) => rule.breached).length;
  const isDeficit = totals.availability !== null && isNegative(totals.availability.sum);
  const excessShare = shareOf(totals.excess.sum, totals.pools.eligibleOrPerforming.amount.sum);
  return {
    kind: 'figures',
    figures: [
      {
        label: 'Net borrowing base',
        value: formatAmount(totals.netBB),
        unit: currency,
        note:
          totals.availableBase !== undefined
            ? `${AVAILABLE_BASE.toLowerCase()} ${totals.availableBase ? formatAmount(totals.availableBase) : UNKNOWN}`
            : undefined,
      },
      {
        label: BALANCE_AT_CUT_OFF,
        value: totals.balance ? formatAmount(totals.balance) : UNKNOWN,
        unit: totals.balance?.currency,
        note: totals.balance
          ? utilizationPercent === null
            ? 'approved draws due minus principal repaid'
            : `${formatPercent(utilizationPercent, 1)} of commitments`
          : 'no draws or repayments recorded yet',
      },
      {
        label: isDeficit ? 'Deficiency at cut-off' : AVAILABILITY_AT_CUT_OFF,
        value: totals.availability ? formatAmount(totals.availability) : UNKNOWN,
        unit: totals.availability?.currency,
        tone: isDeficit ? 'danger' : undefined,
        note: cure
          ? `repay ${formatShort(cure.repay)}${cure.addCollateral === null ? '' : ` or add ${formatShort(cure.addCollateral)}`}`
          : totals.commitments
            ? `of ${formatShort(totals.commitments.sum)} ${totals.commitments.currency} committed`
            : 'no commitment recorded',
      },
      {
        label: 'Weighted advance rate',
        value:
          totals.weightedAdvanceRatePercent === null ? UNKNOWN : formatFigure(totals.weightedAdvanceRatePercent, 2),
        unit: '%',
      },
      {
        label: 'Excess concentration',
        value: formatAmount(totals.excess),
        unit: currency,
        tone: breached > 0 ? 'danger' : undefined,
        note: `${excessShare === null ? '' : `${formatPercent(excessShare, 1)} of pool, `}${
          breached === 0 ? 'no limit in breach' : `${formatCount(breached, 'limit')} in breach`
        }`,
      },
      {
        label: 'Eligible or performing',
        value: formatAmount(totals.pools.eligibleOrPerforming.amount),
        unit: currency,
        note: `${formatCount(totals.pools.eligibleOrPerforming.count, 'asset')} of ${formatFigure(totals.assets)}`,
      },
    ],
  };
}

/** What a reader must know about the figures, and how a deficiency is cured. */
function noticesOf(base: CertifiedBase): string[] {
  const { result } = base;
  const { cure } = facilityFigures(result);
  return [
    ...stateNotices(base),
    ...(cure
      ? [
          `Deficiency of ${writtenAmount({ sum: cure.repay, currency: cure.currency })}. To cure it, repay that amount${
            cure.addCollateral === null
              ? '.'
              : `, or add eligible collateral of ${writtenAmount({ sum: cure.addCollateral, currency: cure.currency })} at the weighted advance rate.`
          }`,
        ]
      : []),
    ...result.warnings.map(({ message }) => message),
  ];
}

function inputsTable({ result, tape, contract, generationId, proof = [] }: CertifiedBase): PrintedBlock {
  return {
    kind: 'table',
    title: 'Inputs',
    note: 'the same inputs give the same figures',
    columns: [
      { head: 'Input', width: 1.4 },
      { head: 'Identification', width: 4 },
    ],
    rows: [
      { cells: ['Loan tape', `${tape?.name ?? 'removed'}, published version ${generationId}`] },
      ...proof.map((text) => ({ cells: ['Proof with payments', text] })),
      { cells: ['Contract', contract ? `Revision ${contract.revision}, ${contract.id}` : UNKNOWN] },
      { cells: ['Hash of inputs (SHA-256)', result.inputsHash ?? 'not recorded by the version that calculated it'] },
    ],
    remark:
      'The hash covers the published version of the loan tape, the terms of the contract, the exchange rates, and the balance and commitments of the note.',
  };
}
