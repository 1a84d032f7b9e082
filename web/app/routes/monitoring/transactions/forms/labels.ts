import { fieldLabel } from '@tapeline/domain/documents/field-labels.ts';
import { DATE_RANGE_LABELS } from '@tapeline/domain/facilities/terms.schema.ts';
import { TERM_LINES } from './terms-fields.tsx';

const LISTS: Readonly<Record<string, string>> = {
  commitments: 'Commitment',
  fees: 'Fee',
  warrants: 'Warrant',
  tiers: 'Tier',
  defaultEvents: 'Event of default',
  holdings: 'Holding',
  counselsCompany: 'Counsel of the borrower',
  counselsManager: 'Counsel of the manager',
  security: 'Security',
  legalAgreements: 'Legal agreement',
  industries: 'Industry',
  managerMaxCommitments: 'Manager’s commitment',
  notes: 'Note',
};
const GROUPS: Readonly<Record<string, string>> = {
  draw: 'Regular draws',
  prefunding: 'Prefunding',
  recycling: 'Recycling',
};
const FIELDS: Readonly<Record<string, string>> = {
  ...DATE_RANGE_LABELS,
  sum: 'Sum',
  value: 'Fixed rate',
  rate: 'Rate',
  min: 'Minimum',
  max: 'Maximum',
  type: 'Type',
  loanType: 'Type',
  maxBaseAgeDays: 'Oldest borrowing base (days)',
  isDiscretional: 'Discretionary',
  futureInvestmentRights: 'Amount of the rights',
};

/** What the fields of each part are called on the screen, by their path in it. */
const LABELS_IN = new Map(
  Object.entries(TERM_LINES).map(([part, lines]) => [
    part,
    new Map(
      lines.flat().flatMap((line): [string, string][] => {
        const label = String(line.label).replace(/ \(optional\)$/, '');
        if (!('amount' in line)) return [[line.name, label]];
        return [
          [`${line.name}.sum`, label],
          [`${line.name}.currency`, line.percent ? 'Unit' : 'Currency'],
        ];
      }),
    ),
  ]),
);

/** "Fee 2, Rate" for `terms.fees[1].rate.sum`. */
export function termLabelOf(name: string): string {
  const parts: string[] = [];
  const path = [...name.matchAll(/([A-Za-z]+)(?:\[(\d+)\])?/g)];
  for (const [at, [, field = '', index]] of path.entries()) {
    const one = LISTS[field];
    if (one && index !== undefined) parts.push(`${one} ${Number(index) + 1}`);
    else if (GROUPS[field]) parts.push(GROUPS[field]);
    else if (!HIDDEN_GROUPS.has(field)) parts.push(FIELDS[field] ?? fieldLabel(field));
    const rest = path
      .slice(at + 1)
      .map(([, part]) => part)
      .join('.');
    const label = LABELS_IN.get(field)?.get(rest);
    if (label) return [...parts, label].join(', ');
  }
  return parts.length === 0 ? name : parts.join(', ');
}

const HIDDEN_GROUPS = new Set([
  'terms',
  'note',
  'amount',
  'timeline',
  'interest',
  'drawLimits',
  'numberRange',
  'pricingGrid',
]);
