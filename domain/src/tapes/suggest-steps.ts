import { type ColumnSummary, dateFormatOf, MONTH_NAMES, monthFormOfColumn } from './column-shape.ts';
import type { SerializationInput } from './serialization.schema.ts';
import { type AssetStatus, assetStatusOf } from './statuses.ts';
import type { TargetNames } from './target-synonyms.ts';

/** The steps that turn a column's values into its field, read off the values. */
export function suggestSteps(summary: ColumnSummary, { shape }: TargetNames, header: string): SerializationInput[] {
  switch (shape) {
    case 'date':
      return dateSteps(summary);
    case 'amount':
      return amountSteps(summary);
    case 'rate':
      return [{ type: 'SerializedInterest', scale: scaleOf(summary, 1) }];
    case 'percent':
      // Loan to value goes a little above 1 where it is a share.
      return [{ type: 'percentage', scale: scaleOf(summary, 3) }];
    case 'term':
      return [
        { type: 'SerializedTerm', unit: /year|yr/i.test(header) ? 'years' : /day/i.test(header) ? 'days' : 'months' },
      ];
    case 'count':
    case 'score':
      return [{ type: 'number' }];
    case 'flag':
      return [{ type: 'boolean' }];
    case 'status':
      return statusSteps(summary);
    case 'zip': {
      const lostZeros = summary.filled.some((cell) => cell.tag === 1 && cell.value.length < 5 && cell.value.length > 2);
      const five = summary.filled.some((cell) => cell.value.trim().length === 5);
      return lostZeros && five ? [{ type: 'text' }, { type: 'padStart', length: 5 }] : [{ type: 'text' }];
    }
    case 'state':
    case 'currency':
      return [{ type: 'trim' }, { type: 'upper' }];
    default:
      return [{ type: 'text' }];
  }
}

const CURRENCY_SIGNS = ['$', '€', '£'] as const;

/** Text files write amounts with the sign of their currency, which no number has: it is taken off first. */
function amountSteps({ filled }: ColumnSummary): SerializationInput[] {
  const sign = CURRENCY_SIGNS.find((each) => filled.some((cell) => cell.tag === 2 && cell.value.includes(each)));
  return sign
    ? [{ type: 'replaceStrings', value: [sign, ''] }, { type: 'SerializedSum' }]
    : [{ type: 'SerializedSum' }];
}

/** A month without a day is its first: whatever is written is brought into the form of a date. */
function dateSteps(summary: ColumnSummary): SerializationInput[] {
  const american: SerializationInput = { type: 'date', format: 'american' };
  switch (monthFormOfColumn(summary.filled)) {
    case 'month/year':
      return [{ type: 'replaceStrings', value: ['/', '/01/'] }, american];
    case 'month-name':
      return [
        ...MONTH_NAMES.map(
          (name, at): SerializationInput => ({
            type: 'replaceStrings',
            value: [`${name}-`, `${String(at + 1).padStart(2, '0')}/01/`],
          }),
        ),
        american,
      ];
    case 'monthYear':
      // 32018 is 3.2018; the digit behind keeps the last zero of a year, and goes again.
      return [
        { type: 'divide', value: 10_000 },
        { type: 'add', value: 0.000_01 },
        { type: 'slice', value: [0, -1] },
        { type: 'replaceStrings', value: ['.', '/01/'] },
        american,
      ];
    case 'yearMonth':
      return [
        { type: 'divide', value: 100 },
        { type: 'add', value: 0.001 },
        { type: 'slice', value: [0, -1] },
        { type: 'replaceStrings', value: ['.', '-'] },
        { type: 'concat', parts: [{ text: '-01' }] },
        { type: 'date', format: 'ISO' },
      ];
    default:
      return [{ type: 'date', format: dateFormat(summary) }];
  }
}

function dateFormat({
  filled,
  numbers,
}: ColumnSummary): 'excel' | 'ISO' | 'american' | 'timestampMilliseconds' | 'timestampSeconds' {
  const counts = new Map<string, number>();
  for (const cell of filled) {
    const format = dateFormatOf(cell);
    if (format) counts.set(format, (counts.get(format) ?? 0) + 1);
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  if (most) return most[0] as 'excel' | 'ISO' | 'american';
  const middle = median(numbers);
  if (middle > 1e11) return 'timestampMilliseconds';
  return middle > 1e8 ? 'timestampSeconds' : 'excel';
}

/** A share where nothing goes above `highestShare`, unless the texts carry percent signs. */
function scaleOf({ filled, numbers }: ColumnSummary, highestShare: number): 'zeroTo1' | 'zeroTo100' {
  if (filled.some((cell) => cell.tag === 2 && cell.value.includes('%'))) return 'zeroTo100';
  return numbers.length > 0 && Math.max(...numbers) <= highestShare && median(numbers) < 1 ? 'zeroTo1' : 'zeroTo100';
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** What servicers write, the first match counting. */
const STATUS_WORDS: readonly (readonly [RegExp, AssetStatus])[] = [
  [/charge[- ]?d?[- ]?off|^co$|chgoff|write[- ]?off/i, 'chargedOff'],
  [/non[- ]?perform/i, 'nonPerformingAsset'],
  [/default|foreclos|reo|repo|bankrupt/i, 'default'],
  [/pre[- ]?paid|prepay/i, 'prePaid'],
  [/paid|pif|closed|settled|matured|completed/i, 'paid'],
  [/cancel/i, 'canceled'],
  [/grace|past[- ]?due/i, 'pastDue'],
  [/late|delinq|arrears|dpd|\d+\s*(-|to|\+)\s*\d*|days/i, 'delinquent'],
  [/slow/i, 'slowPayment'],
  [/^perform/i, 'performingAsset'],
  [/pending|committed|approved|exempt/i, 'pending'],
  [/current|active|open|good|performing|on time|regular|issued/i, 'current'],
];

/** Statuses the tape's own words mean; a word nobody knows is left to be an error the analyst sees. */
function statusSteps({ distinct }: ColumnSummary): SerializationInput[] {
  const byStatus = new Map<AssetStatus, string[]>();
  for (const { value } of distinct.slice(0, 200)) {
    if (assetStatusOf(value) !== null) continue;
    const status = STATUS_WORDS.find(([pattern]) => pattern.test(value))?.[1];
    if (status) byStatus.set(status, [...(byStatus.get(status) ?? []), value]);
  }
  if (byStatus.size === 0) return [{ type: 'assetStatus' }];
  // biome-ignore lint/suspicious/noThenProperty: the word of the contract; a case is never awaited
  const cases = [...byStatus].map(([status, values]) => ({ equals: values, then: status }));
  return [{ type: 'switchCase', cases, default: { previous: true } }, { type: 'assetStatus' }];
}
