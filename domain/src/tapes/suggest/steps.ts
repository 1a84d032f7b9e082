import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { formatFigure } from '../../money/format-figure.ts';
import type { RuleInput } from '../rule.schema.ts';
import type { FigureOptions, SerializationInput } from '../serialization.schema.ts';
import { NOT_AVAILABLE, type ShapeFit, shapeFit } from './column-shape.ts';
import type { ColumnSummary } from './column-summary.ts';
import { type DayFirst, isNoDate, readDates } from './dates.ts';
import { ambiguousFigures, amountSteps, figureOptions, scaleOf, signSteps, termSteps } from './figures.ts';
import type { Language } from './foreign-words.ts';
import { readStatuses } from './statuses.ts';
import type { TargetNames } from './target-synonyms.ts';

/** What the columns of a tape say about each other. */
export interface TapeEvidence {
  /** Of the headers; null if they are English. */
  readonly language: Language | null;
  /** The word that almost all headers begin with. */
  readonly prefix: string | null;
  /** Whether its rows are invoices, which are due once. */
  readonly hasInvoices: boolean;
  /** Header of the column that names each row's currency. */
  readonly currencyColumn: string | null;
  readonly dayFirst: DayFirst;
}

export const NO_FACTS: TapeEvidence = {
  language: null,
  prefix: null,
  hasInvoices: false,
  currencyColumn: null,
  dayFirst: null,
};

/** How a column's values become a field. */
export interface ValueReading {
  readonly steps: readonly SerializationInput[];
  readonly fit: ShapeFit;
  /** What a person has to check, in words; null if the values leave no doubt. */
  readonly doubt: string | null;
  /** What speaks against the field, however well its name and its values fit. */
  readonly contradiction?: string;
  /** Texts and numbers that mean missing. */
  readonly missing: readonly string[];
}

/** The steps that turn a column's values into its field, and how well they fit, derived from the values. */
export function readValues(
  summary: ColumnSummary,
  { shape }: Pick<TargetNames, 'shape'>,
  header: string,
  tape: TapeEvidence = NO_FACTS,
): ValueReading {
  const { filled } = summary;
  const said = isNamibia(summary, shape) ? summary.missing.filter((text) => text !== NAMIBIA) : summary.missing;
  const missing = isLookedUp(summary, shape) ? [...said, NOT_AVAILABLE] : said;
  const reading = (steps: readonly SerializationInput[], more: Partial<ValueReading> = {}): ValueReading => ({
    steps,
    fit: shape === 'date' || shape === 'status' ? BLANK : shapeFit(summary, shape, header),
    doubt: null,
    missing,
    ...more,
  });
  const options = figureOptions(summary);
  const scaledTo = (highestShare: number) => {
    const { mixed, ...scale } = scaleOf(summary, highestShare, header);
    return { ...scale, more: mixed === null ? {} : { contradiction: mixed } };
  };
  switch (shape) {
    case 'date': {
      const none = [...new Set(filled.filter(isNoDate).map(({ value }) => value.trim()))];
      const dates = readDates(summary, header, tape.dayFirst);
      const said = filled.filter((cell) => !isNoDate(cell));
      if (dates === null)
        return reading([{ type: 'date', format: 'excel' }], said.length === 0 ? {} : { fit: NOTHING });
      const hits = said.filter(dates.fits).length;
      return reading(dates.steps, {
        fit: { share: hits / said.length, words: `${hits} of ${said.length} values are ${dates.words}` },
        doubt: dates.doubt,
        missing: [...missing, ...none],
      });
    }
    case 'status': {
      const statuses = readStatuses(summary, header);
      if (filled.length === 0) return reading(statuses.steps);
      const isFew = summary.distinct.length <= Math.max(20, filled.length * 0.4);
      // Unrecognized words may still be statuses; unrecognized numbers are not.
      const texts =
        filled.filter(({ tag, value }) => tag === CellTag.text && !/^[\d.,]+$/.test(value.trim())).length /
        filled.length;
      const share = Math.max(statuses.share, texts) * (isFew ? 1 : 0.4);
      const rows = summary.words.reduce((sum, { count }) => sum + count, 0);
      const count = `${summary.words.length} different statuses in ${formatFigure(rows)} rows`;
      const words = statuses.words === '' ? count : `${count}: ${statuses.words}`;
      const isUnknown = statuses.share === 0 && texts > 0;
      return reading(statuses.steps, {
        fit: { share, words },
        doubt: statuses.doubt,
        ...(isUnknown ? { contradiction: 'none of its words is a known status' } : {}),
      });
    }
    case 'amount': {
      const [unclear] = ambiguousFigures(summary);
      const doubt = unclear ? `"${unclear}" is another amount with a decimal point: check the decimal sign` : null;
      return reading(amountSteps(summary, header, tape.currencyColumn), { doubt });
    }
    case 'rate': {
      const { scale, steps, more } = scaledTo(1);
      return reading(
        [
          ...signSteps(summary),
          ...rateSteps(steps, options),
          { type: 'SerializedInterest', scale, ...(steps.length > 0 ? {} : options) },
        ],
        more,
      );
    }
    case 'percent': {
      // A loan-to-value written as a share can be a little above 1.
      const { scale, steps, more } = scaledTo(3);
      return reading(
        [
          ...signSteps(summary),
          ...rateSteps(steps, options),
          { type: 'percentage', scale, ...(steps.length > 0 ? {} : options) },
        ],
        more,
      );
    }
    case 'term':
      return reading([...signSteps(summary), ...termSteps(summary, header)]);
    case 'count':
    case 'score':
      return reading([...signSteps(summary), { type: 'number', ...options }]);
    case 'flag':
      return reading([{ type: 'boolean' }]);
    case 'zip': {
      const lostZeros = filled.some(
        (cell) => cell.tag === CellTag.number && cell.value.length < 5 && cell.value.length > 2,
      );
      const five = filled.some((cell) => cell.value.trim().length === 5);
      return reading(lostZeros && five ? [{ type: 'text' }, { type: 'padStart', length: 5 }] : [{ type: 'text' }]);
    }
    case 'state':
    case 'currency':
      return reading([{ type: 'trim' }, { type: 'upper' }]);
    case 'id':
      // An invisible space would make it a different id: the asset would not match from month to month.
      return reading(isPadded(summary) ? [{ type: 'text' }, { type: 'trim' }] : [{ type: 'text' }]);
    default:
      return reading([{ type: 'text' }]);
  }
}

/** Arithmetic has no options of figures, so that a number has to be made of them before it. */
const rateSteps = (steps: readonly SerializationInput[], options: FigureOptions): SerializationInput[] =>
  steps.length > 0 && Object.keys(options).length > 0 ? [{ type: 'number', ...options }, ...steps] : [...steps];

const isPadded = ({ filled, isPadded: further }: ColumnSummary): boolean =>
  further || filled.some(({ tag, value }) => tag === CellTag.text && value !== value.trim());

const NAMIBIA = 'NA';
/** Whether "NA" is a country: the others are codes of two letters as well. */
const isNamibia = ({ distinct }: ColumnSummary, shape: TargetNames['shape']): boolean =>
  shape === 'country' && distinct.length > 0 && distinct.every(({ value }) => /^[A-Z]{2}$/.test(value));

/** From this share of cells on, `#N/A` is how the sheet marks missing values, not an accident. */
const LOOKED_UP_SHARE = 0.05;

/** Whether `#N/A` means missing. It does not in fields that every asset has; there it stays an error. */
const isLookedUp = ({ notAvailable, filled }: ColumnSummary, shape: TargetNames['shape']): boolean =>
  !['id', 'amount', 'status', 'currency'].includes(shape) &&
  notAvailable > 0 &&
  notAvailable >= LOOKED_UP_SHARE * (filled.length + notAvailable);

const BLANK: ShapeFit = { share: null, words: 'the first rows are blank' };
const NOTHING: ShapeFit = { share: 0, words: 'no value is a date' };

/** The rule that makes a field from a column. */
export function ruleOf(
  header: string,
  targetCol: string,
  reading: ValueReading,
  checks: RuleInput['checks'] = [],
): RuleInput {
  const omit: SerializationInput[] = reading.missing.length > 0 ? [{ type: 'omit', values: [...reading.missing] }] : [];
  return { originCol: header, targetCol, checks, serializations: [...omit, ...reading.steps] };
}
