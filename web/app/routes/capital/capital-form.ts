import { fieldLabel } from '@tapeline/domain/documents/field-labels.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';

/** Reports refusals of an operation at other paths, or in other words. */
async function withFlags<Result>(
  work: Promise<Result>,
  flagOf: (flag: { path: string; reason: string; isOnly: boolean; message: string }) => [path: string, reason: string],
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!isRefusal(error) || !error.flags) throw error;
    const { code, message } = error;
    const entries = Object.entries(error.flags);
    const flags = entries.map(([path, reason]) => flagOf({ path, reason, isOnly: entries.length === 1, message }));
    throw new Refusal(code, message, { flags: Object.fromEntries(flags), cause: error });
  }
}

/**
 * Reports refusals of an operation at the fields of the form.
 * @param fieldOf the field of the form for a path that the operation reports
 */
export const atFields = <Result>(work: Promise<Result>, fieldOf: (path: string) => string): Promise<Result> =>
  // The message of a refusal about one field names the investors and amounts; its flag does not.
  withFlags(work, ({ path, reason, isOnly, message }) => [fieldOf(path), isOnly ? message : reason]);

/** Reports refusals of an operation on several documents at the rows of the form; those of a whole row at the top. */
export const atRows = <Result>(work: Promise<Result>): Promise<Result> =>
  withFlags(work, ({ path, reason }) => {
    const [, index, field] = /^(\d+)\.(.+)$/.exec(path) ?? [];
    if (index === undefined || field === undefined) return [path, reason];
    return [field === 'id' || field === 'version' ? field : `rows.${index}.${field}`, reason];
  });

const LABELS: Readonly<Record<string, string>> = {
  fund: 'Fund',
  Class: 'Class',
  cutOffDate: 'Cut-off date',
  dueDate: 'Due date',
  callNumber: 'Number',
  amount: 'Amount',
  percentage: 'Or a percentage',
  callPurposes: 'Purpose',
  components: 'Component',
  principal: 'Principal',
  distributionKind: 'Kind',
  actionType: 'Type',
  trailingDescription: 'Text at the end of the notice',
  vat: 'VAT on fees',
  rows: 'Row',
  gross: 'Gross NAV',
  net: 'Net NAV',
  investor: 'Investor',
  split: 'Divided',
  principalSplit: 'Divided',
  from: 'First day of the fee',
  until: 'Last day of the fee',
  rate: 'Tax rate',
  own: 'Amounts of single investors',
  feeFrom: 'First day of the fee',
  feeUntil: 'Last day of the fee',
  reason: 'Reason for withdrawing it',
};

/** "Purpose 2, Amount" for `callPurposes[1].amount`. */
export function capitalLabel(name: string): string {
  const parts = [...name.matchAll(/([A-Za-z]+)(?:\[(\d+)\])?/g)].map(([, field = '', index]) => {
    const label = LABELS[field] ?? fieldLabel(field);
    return index === undefined ? label : `${label} ${Number(index) + 1}`;
  });
  return parts.join(', ') || name;
}
