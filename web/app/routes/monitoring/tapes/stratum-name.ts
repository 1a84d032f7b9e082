import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { codeLabel } from '@tapeline/domain/documents/code-labels.ts';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import type { StratumKey } from '@tapeline/domain/pools/stratification.ts';
import { EN_DASH, formatFigure, formatShort } from '../../../components/figures/format.ts';
import { statusLabel } from './pool-by-status.ts';

/** A band's edge: round thousands in short form ("10K"), everything else in full. */
function edge(value: string, field: Field): string {
  if (field.type === 'date') return formatCalendarDate(value);
  const isRound = /^-?\d+000$/.test(value);
  return isRound
    ? formatShort(value)
        .replace(/\.0+(?=[KMB]?$)/, '')
        .replace(/(\.\d*[1-9])0+(?=[KMB]$)/, '$1')
    : formatFigure(value);
}

/** The label of a stratum: "10 to under 15", "California", "Other (34 values)", "Missing". */
export function stratumName(key: StratumKey, field: Field): string {
  switch (key.kind) {
    case 'missing':
      return 'Missing';
    case 'other':
      return key.values === 1 ? 'Other (1 value)' : `Other (${formatFigure(key.values)} values)`;
    case 'value':
      if (typeof key.value === 'boolean') return key.value ? 'Yes' : 'No';
      if (field.path === 'assetStatus') return statusLabel(key.value);
      return field.values && !/^[A-Z]{3}$/.test(key.value) ? codeLabel(key.value) : key.value;
    case 'band': {
      const { from, below } = key.band;
      if (from === null && below === null) return 'Known';
      if (from === null) return `${field.type === 'date' ? 'Before' : 'Under'} ${edge(below ?? '', field)}`;
      if (below === null) return field.type === 'date' ? `From ${edge(from, field)}` : `${edge(from, field)} and over`;
      return field.type === 'date' ? dates(from, below) : `${edge(from, field)} to under ${edge(below, field)}`;
    }
  }
}

/** The short label below a bar: "10–15", "under 10", "30+". */
export function stratumShortName(key: StratumKey, field: Field): string {
  if (key.kind === 'other') return 'Other';
  if (key.kind !== 'band' || field.type === 'date') return stratumName(key, field);
  const { from, below } = key.band;
  if (from === null || below === null) return from === null ? stratumName(key, field) : `${edge(from, field)}+`;
  return `${edge(from, field)}${EN_DASH}${edge(below, field)}`;
}

/** Whole years, quarters and months by name. Other ranges by their first day and their exclusive end day. */
function dates(from: string, below: string): string {
  const [year = '', month = '', day] = from.split('-');
  const months = (Number(below.slice(0, 4)) - Number(year)) * 12 + Number(below.slice(5, 7)) - Number(month);
  const isWhole = day === '01' && below.endsWith('-01');
  if (isWhole && months === 12 && month === '01') return year;
  if (isWhole && months === 3 && (Number(month) - 1) % 3 === 0) return `Q${Math.ceil(Number(month) / 3)} ${year}`;
  if (isWhole && months === 1) return formatCalendarDate(from).slice(2);
  if (isWhole && months % 12 === 0 && month === '01') return `${year}${EN_DASH}${Number(below.slice(0, 4)) - 1}`;
  return `${formatCalendarDate(from)} to before ${formatCalendarDate(below)}`;
}
