import type { CalendarDate } from '../dates/calendar-date.ts';
import { dateAtOffset } from './cut-off.ts';
import type { Filter } from './filter.ts';

/** The filter for rows that all have this cut-off date. */
export function atCutOff(filter: Filter, cutOffDate: CalendarDate): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { ...filter, filters: filter.filters.map((part) => atCutOff(part, cutOffDate)) };
    case 'not':
      return { ...filter, filter: atCutOff(filter.filter, cutOffDate) };
    case 'compareCutOff': {
      const { field, operator, offset } = filter;
      return { kind: 'compare', field, operator, value: dateAtOffset(cutOffDate, offset), offset };
    }
    default:
      return filter;
  }
}
