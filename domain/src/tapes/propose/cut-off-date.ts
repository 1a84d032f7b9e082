import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import type { CalendarDate } from '../../dates/calendar-date.ts';
import type { SampleColumn } from '../suggest/suggest-mapping.ts';
import { namingTexts, type ProposedFile, type Sourced } from './sources.ts';
import { datesIn } from './written-dates.ts';

/** Headers of columns that have the cut-off date in each row. */
const AS_OF_HEADER =
  /^(?:as[ _-]?(?:of|at)(?:[ _-]?date)?|(?:pool[ _-]?)?cut[ _-]?off(?:[ _-]?date)?|(?:reporting|report|data|position|tape|snapshot|portfolio|extract(?:ion)?|valuation)[ _-]?date|reporting[ _-]?period(?:[ _-]?end)?|period[ _-]?end|stichtag|peildatum|date d.arr[êe]t[ée]|fecha de corte|data de refer[êe]ncia|data di riferimento|data raportu)$/i;

/** Words in front of a cut-off date. */
const AS_OF_WORDS =
  /(?:as (?:of|at|on)|cut[ -]?off(?: date)?|report(?:ing)? date|data date|position date|period(?: end(?:ed|ing)?)?|stichtag|stand|per|zum|au|al|pr\.?|stan na|peildatum|arr[êe]t[ée])[ :.=]*$/iu;

/**
 * The cut-off date that the file names: in a column with one date in all rows, in a title above the header, in its
 * name or in the name of its sheet. Null if none of them names exactly one.
 * @returns the first of these, and the others that name another date
 */
export function proposeCutOffDate(
  file: ProposedFile,
  columns: readonly SampleColumn[],
): (Sourced<CalendarDate> & { readonly others: readonly Sourced<CalendarDate>[] }) | null {
  const named = namingTexts(file).flatMap(({ source, text }): Sourced<CalendarDate>[] => {
    const value = onlyDate(text);
    return value === null ? [] : [{ value, source, text }];
  });
  const [first, ...others] = [...asOfColumn(columns), ...named];
  if (!first) return null;
  return { ...first, others: others.filter(({ value }) => value !== first.value) };
}

/** The one date that a text names, or the one that it calls the cut-off date. */
function onlyDate(text: string): CalendarDate | null {
  const dates = datesIn(text);
  const labelled = dates.filter(({ at }) => AS_OF_WORDS.test(text.slice(0, at)));
  const meant = new Set((labelled.length > 0 ? labelled : dates).map(({ date }) => date));
  const [only, ...others] = meant;
  return only !== undefined && others.length === 0 ? only : null;
}

function asOfColumn(columns: readonly SampleColumn[]): Sourced<CalendarDate>[] {
  return columns.flatMap(({ header, cells }): Sourced<CalendarDate>[] => {
    if (!AS_OF_HEADER.test(header.trim())) return [];
    const values = new Set(cells.filter(({ tag }) => tag !== CellTag.blank).map(({ value }) => value.trim()));
    const [only, ...others] = values;
    const dates = only === undefined || others.length > 0 ? [] : datesIn(only);
    return dates.length === 1 ? [{ value: dates[0]!.date, source: 'column', text: header }] : [];
  });
}
