import { add, compare, type DecimalText, decimalOf, divide, isZero, multiply, sum } from '../money/decimal.ts';
import { type CurrencyFigure, soleFigure } from '../money/totals.ts';
import type { Field } from './catalog.ts';
import { evaluateFilter } from './evaluate.ts';
import type { GroupBy, ListQuery } from './list-query.schema.ts';

type Value = string | number | boolean | null;

/** How rows that are calculated, and so are in no table, are read by a list's query. */
export interface RowReader<Row> {
  /** The value of a field: decimals as decimal text, missing ones as null. */
  value(row: Row, field: Field): Value;
  /** The currency of a field that is an amount of money; undefined for a field that is not. */
  currency(row: Row, field: Field): string | null | undefined;
  /** The id of a row's document, for `preseveDocsIds`. */
  id(row: Row): string;
}

/** One group of rows, as a list of documents groups them. */
export interface RowGroup {
  readonly key: Value;
  readonly value: DecimalText | null;
  readonly count: number;
  readonly ids?: string[];
  readonly byCurrency?: readonly CurrencyFigure[];
}

/** Digits after the point of an average. */
const AVERAGE_DIGITS = 12;

const isDecimalType = ({ type }: Field): boolean => type === 'number' || type === 'decimal';

function compareValues(field: Field, a: Value, b: Value): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (isDecimalType(field)) return compare(decimalOf(String(a)), decimalOf(String(b)));
  const [left, right] = [String(a), String(b)];
  return left < right ? -1 : Number(left > right);
}

/** The rows that the query's filter passes, in the order that they are given in. */
const passing = <Row>(rows: readonly Row[], query: ListQuery, reader: RowReader<Row>): Row[] =>
  rows.filter((row) => evaluateFilter(query.filter, (field) => reader.value(row, field)) === true);

/** A page of the rows that pass, in the query's order; ties, and rows without an order, are in the order given. Missing values are last. */
export function pageRows<Row>(
  rows: readonly Row[],
  query: ListQuery,
  reader: RowReader<Row>,
): { rows: Row[]; total: number } {
  const found = passing(rows, query, reader);
  if (query.sort.length > 0) {
    found.sort((a, b) => {
      for (const { field, direction } of query.sort) {
        const [left, right] = [reader.value(a, field), reader.value(b, field)];
        const order = compareValues(field, left, right);
        // Missing values are last in either direction.
        if (order !== 0) return left === null || right === null ? order : order * direction;
      }
      return 0;
    });
  }
  return { rows: found.slice(query.skip, query.skip + query.limit), total: found.length };
}

/** A page of the groups of the rows that pass, the largest value first. Amounts are added up by currency. */
export function groupRows<Row>(
  rows: readonly Row[],
  query: ListQuery & { readonly groupBy: GroupBy },
  reader: RowReader<Row>,
): { groups: RowGroup[]; total: number } {
  const { by } = query.groupBy;
  const byKey = Map.groupBy(passing(rows, query, reader), (row) => (by ? reader.value(row, by) : null));
  const groups = [...byKey].map(([key, members]): RowGroup => {
    const { figures, isMoney } = figuresOf(members, query.groupBy, reader);
    return {
      key,
      value: soleFigure(figures),
      count: members.length,
      ...(query.preseveDocsIds ? { ids: [...new Set(members.map((row) => reader.id(row)))].sort() } : {}),
      ...(isMoney ? { byCurrency: figures } : {}),
    };
  });
  groups.sort((a, b) => {
    if (a.value !== null && b.value !== null) {
      const order = compare(b.value, a.value);
      if (order !== 0) return order;
    } else if (a.value !== b.value) return a.value === null ? 1 : -1;
    return by ? compareValues(by, a.key, b.key) : 0;
  });
  return { groups: groups.slice(query.skip, query.skip + query.limit), total: groups.length };
}

function figuresOf<Row>(members: readonly Row[], groupBy: GroupBy, reader: RowReader<Row>) {
  const { field, weightedField } = groupBy;
  if (!field)
    return { figures: [{ currency: null, value: String(members.length), count: members.length }], isMoney: false };
  let isMoney = false;
  const parts = new Map<string | null, { values: DecimalText[]; weights: DecimalText[] }>();
  for (const row of members) {
    const [value, weight] = [reader.value(row, field), weightedField ? reader.value(row, weightedField) : '1'];
    const currencies = [field, weightedField].flatMap((one) => {
      const currency = one ? reader.currency(row, one) : undefined;
      return currency === undefined ? [] : [currency];
    });
    isMoney ||= currencies.length > 0;
    if (value === null || weight === null) continue;
    // An amount weighed by one of another currency is a part of its own, named by both.
    const named = new Set(currencies.filter((one) => one !== null));
    const currency = named.size > 0 ? [...named].join('/') : null;
    const part = parts.get(currency) ?? { values: [], weights: [] };
    part.values.push(decimalOf(String(value)));
    part.weights.push(decimalOf(String(weight)));
    parts.set(currency, part);
  }
  const figures = [...parts].flatMap(([currency, { values, weights }]): CurrencyFigure[] => {
    const value = accumulate(groupBy, values, weights);
    return value === null ? [] : [{ currency, value, count: values.length }];
  });
  figures.sort(
    (a, b) => Number(a.currency === null) - Number(b.currency === null) || (`${a.currency}` < `${b.currency}` ? -1 : 1),
  );
  return { figures, isMoney };
}

function accumulate(
  { accumulator }: GroupBy,
  values: readonly DecimalText[],
  weights: readonly DecimalText[],
): DecimalText | null {
  if (accumulator === '$sum') return sum(values);
  const weight = sum(weights);
  if (isZero(weight)) return null;
  const products = values.map((value, at) => multiply(value, weights[at] ?? '0'));
  return divide(products.reduce(add, '0'), weight, AVERAGE_DIGITS);
}
