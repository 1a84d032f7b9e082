import { type Condition, type Filter, OPPOSITES } from '../../filters/filter.ts';
import { readLike } from '../../filters/like.ts';
import { operandOf } from '../../filters/print.ts';

/** A filter in one form of all those that mean the same in three-valued logic: for comparing filters in tests. */
export function plainForm(filter: Filter, negated = false): string {
  if (filter.kind === 'not') return plainForm(filter.filter, !negated);
  if (filter.kind === 'and' || filter.kind === 'or') {
    const parts = flatParts(filter.kind, filter.filters)
      .map((part) => plainForm(part))
      .sort();
    const [only] = parts;
    const joined = parts.length === 1 && only ? only : `${filter.kind}(${parts.join('; ')})`;
    return negated ? `not(${joined})` : joined;
  }
  return formOf(filter, negated);
}

/** The parts of a group, with those of a group of the same kind within it, also behind two negations. */
function flatParts(kind: 'and' | 'or', parts: readonly Filter[]): Filter[] {
  return parts.flatMap((part) => {
    let inner = part;
    while (inner.kind === 'not' && inner.filter.kind === 'not') inner = inner.filter.filter;
    return inner.kind === kind ? flatParts(kind, inner.filters) : [inner];
  });
}

function formOf(condition: Condition, negated: boolean): string {
  const { path } = condition.field;
  switch (condition.kind) {
    case 'compare': {
      const operator = negated ? OPPOSITES[condition.operator] : condition.operator;
      const { value } = condition;
      if (typeof value === 'boolean') return `${path} in ${(operator === 'eq') === value}`;
      if (operator === 'eq' || operator === 'neq')
        return `${path} ${operator === 'eq' ? 'in' : 'nin'} ${JSON.stringify([value])}`;
      return `${path} ${operator} ${JSON.stringify(value)}`;
    }
    case 'list': {
      const isIn = (condition.operator === 'in') !== negated;
      const values = [...new Set(condition.values)].sort();
      const [only] = values;
      if (values.length === 1 && typeof only === 'boolean') return `${path} in ${isIn === only}`;
      return `${path} ${isIn ? 'in' : 'nin'} ${JSON.stringify(values)}`;
    }
    case 'compareField':
    case 'compareCutOff': {
      const operator = negated ? OPPOSITES[condition.operator] : condition.operator;
      return `${path} ${operator} ${JSON.stringify(operandOf(condition))}`;
    }
    case 'exists':
      return `${path} exists ${condition.exists !== negated}`;
    case 'like':
      return `${negated ? 'not ' : ''}${path} like ${JSON.stringify(readLike(condition.pattern).filter((part, at, all) => part !== 'any' || all[at - 1] !== 'any'))}`;
    case 'regex':
      return `${negated ? 'not ' : ''}${path} regex ${condition.ignoreCase} ${condition.pattern}`;
  }
}
