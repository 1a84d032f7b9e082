import { reasonOfRefusal } from '@tapeline/domain/errors/refusal.ts';
import {
  type ConcentrationRule,
  type ContractOffset,
  type ContractReserve,
  type ContractValue,
  type EligibilityRule,
  type RuleOperand,
  thresholdBase,
} from '@tapeline/domain/facilities/contract.schema.ts';
import { groupWords, offsetWords } from '@tapeline/domain/facilities/offset-words.ts';
import { VALUE_POOL_LABELS } from '@tapeline/domain/facilities/pools.ts';
import { reserveWords } from '@tapeline/domain/facilities/reserve-words.ts';
import type { FieldCatalog } from '@tapeline/domain/filters/catalog.ts';
import { type Filter, isEverything } from '@tapeline/domain/filters/filter.ts';
import type { FilterInput } from '@tapeline/domain/filters/filter-input.schema.ts';
import { parseFilter } from '@tapeline/domain/filters/parse.ts';
import { filterToPhrases, type Phrase } from '@tapeline/domain/filters/sentence.ts';
import { decimalOf } from '@tapeline/domain/money/decimal.ts';
import { formatFigure } from '../../../components/figures/format.ts';

const word = (text: string): Phrase => ({ text, kind: 'word' });
const value = (text: string): Phrase => ({ text, kind: 'value' });
const field = (text: string): Phrase => ({ text, kind: 'field' });

/** A sentence, or why there is none: the mapping may no longer have a field that the filter names. */
export interface Said {
  readonly phrases: readonly Phrase[];
  readonly problem: string | null;
}

export const phrasesText = (phrases: readonly Phrase[]): string => phrases.map((phrase) => phrase.text).join('');

export function readFilter(input: FilterInput | undefined, catalog: FieldCatalog): Filter | { problem: string } {
  try {
    return parseFilter(input, catalog);
  } catch (error) {
    return { problem: reasonOfRefusal(error) };
  }
}

/** A rule's filter in words. */
export function describeFilter(
  input: FilterInput | undefined,
  catalog: FieldCatalog,
  everything = 'Every asset',
): Said {
  const filter = readFilter(input, catalog);
  if ('problem' in filter) return { phrases: [word(JSON.stringify(input))], problem: filter.problem };
  return { phrases: isEverything(filter) ? [word(everything)] : filterToPhrases(filter), problem: null };
}

export const fieldLabelOf = (path: string, catalog: FieldCatalog): string => {
  const found = catalog.resolve(path);
  return 'field' in found ? found.field.label : path;
};

const groupPhrases = (
  { groupBy, parent }: { groupBy: string; parent?: string | null | undefined },
  catalog: FieldCatalog,
) =>
  groupWords({ group: fieldLabelOf(groupBy, catalog), parent: parent ? fieldLabelOf(parent, catalog) : null }).map(
    ({ text, isField }) => (isField ? field(text) : word(text)),
  );

/** "All of a Borrower if at least 25% of its amount fails: Days past due is at most 90". */
export function describeEligibility({ filter, wholeGroup }: EligibilityRule, catalog: FieldCatalog): Said {
  const said = describeFilter(filter, catalog);
  if (!wholeGroup) return said;
  const lead = [
    word('All of a '),
    ...groupPhrases(wholeGroup, catalog),
    word(' if at least '),
    value(`${formatFigure(decimalOf(wholeGroup.percent))}%`),
    word(' of its amount fails: '),
  ];
  return { ...said, phrases: [...lead, ...said.phrases] };
}

const BOUNDS: Readonly<Record<RuleOperand, string>> = {
  lte: 'at most',
  lt: 'less than',
  gte: 'at least',
  gt: 'more than',
  eq: 'exactly',
  neq: 'not',
};

function limitPhrases({ equator }: ConcentrationRule): Phrase[] {
  const figure = formatFigure(decimalOf(equator.value));
  const bound = word(` ${BOUNDS[equator.operand]} `);
  if (equator.unit !== 'percentage') return [bound, value(figure)];
  return [bound, value(`${figure}%`), word(' of '), value(thresholdBase(equator))];
}

/** "Any one State at most 12% of Total Eligible & Performing Pool". */
export function describeConcentration(rule: ConcentrationRule, catalog: FieldCatalog): Said {
  const { groupBy, topN, skipN, accumulator, accumulatorField } = rule;
  const about = readFilter(rule.filter, catalog);
  const narrowed = 'problem' in about ? null : isEverything(about) ? null : filterToPhrases(about);
  const measured = accumulatorField ? fieldLabelOf(accumulatorField, catalog) : null;
  const subject: Phrase[] = [];
  if (accumulator !== '$sum') subject.push(word('Average '), field(measured ?? 'amount'));
  else if (measured) subject.push(word('Sum of '), field(measured));
  const inside = subject.length > 0;
  const skipped = skipN ? `, excluding the largest ${skipN},` : '';
  if (groupBy) {
    const group = field(fieldLabelOf(groupBy, catalog));
    const lead = topN
      ? [
          word(inside ? ' of the largest ' : 'Largest '),
          value(String(topN)),
          word(' by '),
          group,
          word(`${skipped} together`),
        ]
      : [word(inside ? ' of any one ' : 'Any one '), group, word(skipped)];
    subject.push(...lead);
  }
  if (narrowed) subject.push(word(subject.length > 0 ? ' where ' : 'Assets where '), ...narrowed);
  if (subject.length === 0) subject.push(word('Whole pool'));
  return {
    phrases: [...subject, ...limitPhrases(rule)],
    problem: 'problem' in about ? about.problem : null,
  };
}

/** "Average Interest rate of Eligible Or Performing where FICO is at least 600". */
export function describeValue(item: ContractValue, catalog: FieldCatalog): Said {
  const filter = readFilter(item.filter, catalog);
  const measured = item.field ? field(fieldLabelOf(item.field, catalog)) : word('current balance');
  const phrases = [
    word(item.accumulator === '$sum' ? 'Sum of ' : item.accumulator === '$avg' ? 'Average ' : 'Weighted average '),
    measured,
    word(' of '),
    value(VALUE_POOL_LABELS[item.pool]),
  ];
  if ('problem' in filter) return { phrases, problem: filter.problem };
  return {
    phrases: isEverything(filter) ? phrases : [...phrases, word(' where '), ...filterToPhrases(filter)],
    problem: null,
  };
}

/** "Payables, the same on each asset of a Borrower id, taken off its eligible amounts". */
export function describeOffset(offset: ContractOffset, catalog: FieldCatalog): Said {
  const { groupBy, parent } = offset;
  const names = {
    group: fieldLabelOf(groupBy, catalog),
    parent: parent ? fieldLabelOf(parent, catalog) : null,
    field: offset.kind === 'field' ? fieldLabelOf(offset.field, catalog) : null,
    file: offset.kind === 'file' ? offset.file : null,
    ...(offset.kind === 'file' && { columns: [offset.groupColumn, offset.amountColumn] as const }),
  };
  const words = offsetWords({ amounts: null, ...offset }, names);
  const phrases = words.map(({ text, isField }) => (isField ? field(text) : word(text)));
  return { phrases: [...phrases, word(', taken off its eligible amounts')], problem: null };
}

/** "2 months at 9% on the balance". */
export function describeReserve(reserve: ContractReserve): Said {
  const words = reserveWords({
    amount: null,
    percent: null,
    months: null,
    ...reserve,
    of: thresholdBase('of' in reserve ? reserve : {}),
  });
  return { phrases: words.map(({ text, isValue }) => (isValue ? value(text) : word(text))), problem: null };
}
