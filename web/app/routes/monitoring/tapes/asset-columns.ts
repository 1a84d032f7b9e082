import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import type { CurrencyFigure } from '@tapeline/domain/money/totals.ts';
import type { TargetField } from '@tapeline/domain/tapes/target-schema.ts';
import type { AssetTotals } from '@tapeline/lake/asset-totals.ts';
import type { GridColumn } from '../../../components/grid/grid-columns.ts';
import type { GridTotal } from '../../../components/grid/totals.tsx';

/** Columns shown until the user chooses, in the schema's order. */
const SHOWN_FIRST = new Set([
  'assetId',
  'borrowerId',
  'assetStatus',
  'dateFinanced',
  'sums.sum',
  'sums.outstandingSum',
  'interestRate',
  'creditScores.origination',
  'creditScores.current',
  'address.state',
  'daysPastDue',
]);
/** Column headers that are shorter than the field's label. */
const SHORT: Readonly<Record<string, string>> = {
  assetId: 'Asset',
  borrowerId: 'Borrower',
  assetStatus: 'Status',
  interestRate: 'Rate',
  'sums.sum': 'Original',
  'sums.outstandingSum': 'Balance',
  'creditScores.origination': 'Credit score',
};
const WIDTHS_PX: Readonly<Record<string, number>> = { assetId: 110, borrowerId: 105, 'address.state': 75 };
const CODES = new Set(['assetId', 'borrowerId', 'address.zip']);

/**
 * The grid's columns for the fields that tapes contain. If all amounts share one currency, it is shown in the header.
 * Otherwise each amount is followed by its own currency.
 * @param currencies of the tape's amounts
 * @param hasBorrowingBase whether one was calculated; without one its columns would be empty, so they are hidden by
 * default
 */
export function assetColumns(
  fields: readonly TargetField[],
  currencies: readonly string[],
  hasBorrowingBase: boolean,
): GridColumn[] {
  const currency = currencies.length === 1 ? (currencies[0] ?? null) : null;
  // Show only one score by default.
  const scores = fields.filter(({ path }) => path === 'creditScores.origination' || path === 'creditScores.current');
  const secondScore = scores[1];
  return [
    ...fields.filter((field) => field !== secondScore).flatMap((field) => columnsOf(field, currency)),
    ...(secondScore ? columnsOf(secondScore, currency).map((column) => ({ ...column, shown: false })) : []),
    { path: 'borrowingBase.status', label: 'Borrowing base', kind: 'status', shown: hasBorrowingBase, widthPx: 155 },
    {
      path: 'borrowingBase.remaining',
      label: currency ? `Borrowing base amount (${currency})` : 'Borrowing base amount',
      kind: 'decimal',
      digits: currency ? minorUnitDigits(currency) : 2,
      shown: false,
      widthPx: 190,
    },
    { path: 'borrowingBase.rate', label: 'Advance rate (%)', kind: 'decimal', digits: 'stored', shown: false },
    { path: 'row', label: 'Sheet row', kind: 'number', shown: false },
  ];
}

function columnsOf(field: TargetField, currency: string | null): GridColumn[] {
  const { path, kind } = field;
  const label = SHORT[path] ?? field.label;
  const shown = SHOWN_FIRST.has(path);
  switch (kind) {
    case 'amount':
      if (currency) {
        const digits = minorUnitDigits(currency);
        return [
          {
            path,
            label: `${label} (${currency})`,
            kind: 'decimal',
            digits,
            shown,
            widthPx: label.length > 8 ? 150 : 120,
          },
        ];
      }
      return [
        { path, label, kind: 'decimal', digits: 2, shown, widthPx: 140 },
        { path: `${path}.currency`, label: `${label} currency`, kind: 'code', shown, widthPx: 110 },
      ];
    case 'percentage':
      return [{ path, label: `${label} (%)`, kind: 'decimal', digits: 'stored', shown, widthPx: 110 }];
    case 'interest':
      return [
        { path, label: `${label} (%)`, kind: 'decimal', digits: 'stored', shown, widthPx: 85 },
        { path: `${path}.kind`, label: `${field.label} kind`, kind: 'text', shown: false },
      ];
    case 'term':
      return [
        { path, label, kind: 'number', shown: false, widthPx: 90 },
        { path: `${path}.unit`, label: `${label} unit`, kind: 'text', shown: false, widthPx: 110 },
      ];
    case 'number':
      return [{ path, label, kind: 'number', shown, widthPx: label.length > 12 ? 120 : 105 }];
    case 'boolean':
      return [{ path, label, kind: 'boolean', shown, widthPx: 110 }];
    case 'date':
      return [{ path, label, kind: 'date', shown, widthPx: 112 }];
    case 'assetStatus':
      return [{ path, label, kind: 'status', shown, widthPx: 125 }];
    case 'assetType':
      return [{ path, label, kind: 'status', shown, widthPx: 120 }];
    default:
      return [{ path, label, kind: CODES.has(path) ? 'code' : 'text', shown, widthPx: WIDTHS_PX[path] ?? 140 }];
  }
}

/** The figures under the grid. Amounts without a currency are not in them, and are counted as not known. */
export function totalsOf({ count, sums, rates }: AssetTotals): GridTotal[] {
  const figures = (path: string, label: string, each: readonly CurrencyFigure[], isRate = false): GridTotal[] => {
    const known = each.flatMap((figure) =>
      figure.currency === null ? [] : [{ ...figure, currency: figure.currency }],
    );
    const without = count - known.reduce((total, figure) => total + figure.count, 0);
    return known.map(({ currency, value }, index) => ({
      path,
      currency,
      sum: value,
      label,
      ...(isRate ? { isRate } : {}),
      ...(without > 0 && index === known.length - 1 ? { without } : {}),
    }));
  };
  return [
    ...figures('sums.sum', 'Original principal', sums['sums.sum']),
    ...figures('sums.outstandingSum', 'Current balance', sums['sums.outstandingSum']),
    ...figures('interestRate', 'Average rate by balance', rates, true),
  ];
}
