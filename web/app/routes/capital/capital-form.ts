import { fieldLabel } from '@tapeline/domain/documents/field-labels.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';

/**
 * Reports refusals of an operation at the fields of the form.
 * @param fieldOf the field of the form for a path that the operation reports
 */
export async function atFields<Result>(work: Promise<Result>, fieldOf: (path: string) => string): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!isRefusal(error) || !error.flags) throw error;
    const entries = Object.entries(error.flags);
    // The message of a refusal about one field names the investors and amounts; its flag does not.
    const flags = entries.map(([path, reason]) => [fieldOf(path), entries.length === 1 ? error.message : reason]);
    throw new Refusal(error.code, error.message, { flags: Object.fromEntries(flags), cause: error });
  }
}

/** Reports refusals of an operation on several documents at the rows of the form; those of a whole row at the top. */
export const atRows = <Result>(work: Promise<Result>): Promise<Result> =>
  atFields(work, (path) => {
    const [place, ...field] = path.split('.');
    if (!/^\d+$/.test(place ?? '')) return path;
    return ['id', 'version'].includes(field[0] ?? '') ? field.join('.') : `rows.${place}.${field.join('.')}`;
  });

const LABELS: Readonly<Record<string, string>> = {
  fund: 'Fund',
  Class: 'Class',
  cutOffDate: 'Cut-off date',
  dueDate: 'Due date',
  callNumber: 'Number',
  amount: 'Amount',
  percentage: 'Percentage',
  callPurposes: 'Purpose',
  components: 'Component',
  principal: 'Principal',
  distributionKind: 'Kind',
  actionType: 'Type',
  trailingDescription: 'Text at the end of the notice',
  vat: 'VAT',
  rows: 'Row',
  gross: 'Gross NAV',
  net: 'Net NAV',
  investor: 'Investor',
};

/** "Purpose 2, Amount" for `callPurposes[1].amount`. */
export function capitalLabel(name: string): string {
  const parts = [...name.matchAll(/([A-Za-z]+)(?:\[(\d+)\])?/g)].map(([, field = '', place]) => {
    const label = LABELS[field] ?? fieldLabel(field);
    return place === undefined ? label : `${label} ${Number(place) + 1}`;
  });
  return parts.join(', ') || name;
}
