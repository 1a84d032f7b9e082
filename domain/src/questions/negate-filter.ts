import { type Filter, OPPOSITES } from '../filters/filter.ts';

/** The opposite of a filter: by its operator where there is one, which in three-valued logic means the same. */
export function negateFilter(filter: Filter): Filter {
  switch (filter.kind) {
    case 'not':
      return filter.filter;
    case 'compare':
      if (filter.operator === 'eq' && typeof filter.value === 'boolean') return { ...filter, value: !filter.value };
      // Of a list, an element can be above a value and another one below it.
      if (filter.field.isList && filter.operator !== 'eq' && filter.operator !== 'neq') return { kind: 'not', filter };
      return { ...filter, operator: OPPOSITES[filter.operator] };
    case 'list':
      return { ...filter, operator: filter.operator === 'in' ? 'nin' : 'in' };
    case 'exists':
      return { ...filter, exists: !filter.exists };
    default:
      return { kind: 'not', filter };
  }
}
