import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { reasonOfRefusal } from '@tapeline/domain/errors/refusal.ts';
import { valueFromText } from '@tapeline/domain/filters/build.ts';
import type { Field, FieldCatalog } from '@tapeline/domain/filters/catalog.ts';
import {
  EVERYTHING,
  type Filter,
  isEverything,
  isOperator,
  joinFilters,
  type Operator,
} from '@tapeline/domain/filters/filter.ts';
import { parseFilter } from '@tapeline/domain/filters/parse.ts';
import { filterToJson } from '@tapeline/domain/filters/print.ts';
import { filterToPhrases, type Phrase } from '@tapeline/domain/filters/sentence.ts';
import { DRAFT_NAMES, JOINS_ALL } from './draft-names.ts';

/** One condition as a chip: its phrases, and the JSON text of the filter without it ("" if no condition is left). */
export interface FilterChip {
  readonly phrases: readonly Phrase[];
  readonly without: string;
}

/** A condition that was entered in the bar but is not valid. */
export interface FilterDraft {
  readonly field: string;
  readonly operator: string;
  readonly value: string;
  readonly joins: string;
  readonly problem: string;
}

/** What a list's filter bar shows, read from the address. */
export interface FilterView {
  readonly filter: Filter;
  /** JSON text for the address. Null if the filter matches everything. */
  readonly text: string | null;
  readonly chips: readonly FilterChip[];
  /** Why the address's filter was not used. The list is then unfiltered. */
  readonly problem: string | null;
  readonly draft: FilterDraft | null;
}

const textOf = (filter: Filter): string => {
  const json = filterToJson(filter);
  return Object.keys(json).length === 0 ? '' : JSON.stringify(json);
};

/** Ids say nothing to people: a condition on them says how many are chosen. */
function phrasesOf(filter: Filter): readonly Phrase[] {
  if (filter.kind !== 'list' && filter.kind !== 'compare') return filterToPhrases(filter).map(withoutId);
  const values = filter.kind === 'list' ? filter.values : [filter.value];
  const { label, path } = filter.field;
  if (values.length === 0 || !values.every((value) => isId(String(value)))) return filterToPhrases(filter);
  const isNegative = filter.operator === 'nin' || filter.operator === 'neq';
  const chosen: Phrase = { text: `${values.length} chosen`, kind: 'value' };
  if (path === 'id') return isNegative ? [{ text: 'Not ', kind: 'word' }, chosen] : [chosen];
  return [{ text: label, kind: 'field' }, { text: isNegative ? ': not ' : ': ', kind: 'word' }, chosen];
}

const withoutId = (phrase: Phrase): Phrase => (isId(phrase.text) ? { ...phrase, text: 'one selected value' } : phrase);

/** Returns the chips of a filter: one for each condition or group that must hold. */
export function chipsOf(filter: Filter): FilterChip[] {
  const parts = partsOf(filter);
  return parts.map((part, index) => ({
    phrases: phrasesOf(part),
    without: textOf(
      joinFilters(
        'and',
        parts.filter((_, other) => other !== index),
      ),
    ),
  }));
}

const partsOf = (filter: Filter): readonly Filter[] => (filter.kind === 'and' ? filter.filters : [filter]);

/** Reads the filter of an address for the bar. An invalid filter is reported and matches everything. */
export function viewFilter(text: string | null, catalog: FieldCatalog): FilterView {
  try {
    const filter = parseFilter(text, catalog);
    return { filter, text: textOf(filter) || null, chips: chipsOf(filter), problem: null, draft: null };
  } catch (error) {
    return { filter: EVERYTHING, text: null, chips: [], problem: reasonOfRefusal(error), draft: null };
  }
}

/**
 * Adds the condition of the bar's own form (`field`, `operator`, `value` in the address) to the existing filter.
 * Returns the search part to redirect to, or what is wrong with the new condition. Null if the form was not submitted.
 */
export function joinDraft(
  search: URLSearchParams,
  catalog: FieldCatalog,
): { goTo: URLSearchParams } | { draft: FilterDraft } | null {
  const [path, operator, value] = [search.get('field'), search.get('operator'), search.get('value') ?? ''];
  if (path === null || operator === null) return null;
  const joins = search.get('joins') ?? '';
  const written = { field: path, operator, value, joins };
  const found = catalog.resolve(path);
  if (!('field' in found)) return { draft: { ...written, problem: 'Choose a field' } };
  if (!isOperator(operator)) return { draft: { ...written, problem: 'Choose an operator' } };
  if (value.trim() === '' && operator !== 'exists') return { draft: { ...written, problem: 'Enter a value' } };
  try {
    const condition = { [operator]: conditionValue(found.field, operator, value, catalog.fields) };
    const before = viewFilter(search.get('filter'), catalog);
    const added = parseFilter({ [found.field.path]: condition }, catalog);
    const goTo = new URLSearchParams(search);
    for (const name of DRAFT_NAMES) goTo.delete(name);
    goTo.set('filter', textOf(withCondition(before.filter, added, joins)));
    return { goTo };
  } catch (error) {
    return { draft: { ...written, problem: `${found.field.label} ${reasonOfRefusal(error)}` } };
  }
}

const conditionValue = (field: Field, operator: Operator, value: string, fields: readonly Field[]): unknown =>
  operator === 'exists' && value.trim() === '' ? true : valueFromText(field, operator, value, fields);

/** The filter with a condition that must hold too, or that is an alternative to all of it or to one of its parts. */
function withCondition(filter: Filter, added: Filter, joins: string): Filter {
  if (isEverything(filter)) return added;
  if (joins === JOINS_ALL) return joinFilters('or', [filter, added]);
  const parts = partsOf(filter);
  const chosen = /^\d+$/.test(joins) ? parts[Number(joins)] : undefined;
  if (!chosen) return joinFilters('and', [...parts, added]);
  return joinFilters(
    'and',
    parts.map((part) => (part === chosen ? joinFilters('or', [part, added]) : part)),
  );
}
