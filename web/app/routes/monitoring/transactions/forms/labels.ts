import { fieldLabel } from '@tapeline/domain/documents/field-labels.ts';
import { DATE_RANGE_LABELS } from '@tapeline/domain/facilities/terms.schema.ts';

const LISTS: Readonly<Record<string, string>> = {
  commitments: 'Commitment',
  fees: 'Fee',
  warrants: 'Warrant',
  holdings: 'Holding',
  counselsCompany: 'Counsel of the company',
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
};

/** "Fee 2, Rate, Sum" for `terms.fees[1].rate.sum`. */
export function termLabelOf(name: string): string {
  const parts: string[] = [];
  for (const [, field = '', index] of name.matchAll(/([A-Za-z]+)(?:\[(\d+)\])?/g)) {
    if (['terms', 'note', 'amount', 'timeline', 'interest', 'drawLimits', 'numberRange'].includes(field)) continue;
    const one = LISTS[field];
    if (one && index !== undefined) parts.push(`${one} ${Number(index) + 1}`);
    else parts.push(GROUPS[field] ?? FIELDS[field] ?? fieldLabel(field));
  }
  return parts.length === 0 ? name : parts.join(', ');
}
