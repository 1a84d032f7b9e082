import { CellTag } from '../cell-tag.ts';
import { numberedNames } from '../headers.ts';
import type { Rule, RuleInput } from '../rule.schema.ts';
import { withoutTotals } from '../sample-rows.ts';
import { resolveTarget } from '../target-schema.ts';
import { type ReadColumn, type ShapeFit, summarizeColumn } from './column-shape.ts';
import { dayFirstOf } from './dates.ts';
import { earlierRules, keepRule, usesOthers } from './earlier.ts';
import { withGuards } from './guards.ts';
import { type NameScore, nameScores, otherScore } from './header-words.ts';
import { chooseId } from './ids.ts';
import { readStatuses, statusMeant } from './statuses.ts';
import { readValues, rulesOf, type TapeFacts, type ValueReading } from './steps.ts';
import type { TargetNames } from './target-synonyms.ts';

/** A column of a new tape: its header, the cells of the first rows, and what the rows below hold. */
export interface SampleColumn extends ReadColumn {
  readonly header: string;
  /** What stands above the header, over a group of columns: "Balances" over "Original" and "Current". */
  readonly group?: string | undefined;
}

export interface RuleSuggestion {
  readonly rule: RuleInput;
  /** 0 to 1. */
  readonly confidence: number;
  /** Why, in words a person can judge: `"CURR_BAL" reads as current balance; 98 of 100 cells are numbers`. */
  readonly reason: string;
}

export interface SuggestionInput {
  readonly columns: readonly SampleColumn[];
  /** Rules of the company's earlier mappings, the latest first. */
  readonly earlier?: readonly (readonly Rule[])[];
}

/** Below this a name is a coincidence. */
const LEAST_CONFIDENCE = 0.5;

/**
 * A mapping for a tape nobody has mapped yet: each column to at most one field and each field from at most one column,
 * the surest first. Always names an assetId where any column can be one. Never applied unseen.
 */
export function suggestMapping(input: SuggestionInput): RuleSuggestion[] {
  const columns = withoutTotals(input.columns.filter((column) => column.header.trim() !== ''));
  const counts = new Map<string, number>();
  for (const { header } of columns) counts.set(header, (counts.get(header) ?? 0) + 1);
  const usable = columns.filter(({ header }) => counts.get(header) === 1);

  const taken = new Set<string>();
  const used = new Set<SampleColumn>();
  const kept: RuleSuggestion[] = [];
  const facts = factsOf(usable);
  for (const { column, rule } of earlierRules(usable, input.earlier ?? [])) {
    const resolved = resolveTarget(rule.targetCol);
    if (resolved.kind === 'fault' || taken.has(resolved.path)) continue;
    taken.add(resolved.path);
    used.add(column);
    const { rules, confidence, reason } = keepRule(column, rule, facts);
    for (const [index, each] of rules.entries()) {
      kept.push({ rule: each, confidence, reason: index === rules.length - 1 ? reason : partOf(column) });
    }
  }

  const found: RuleSuggestion[] = [];
  const take = (
    column: SampleColumn,
    path: string,
    confidence: number,
    reason: string,
    reading: ValueReading,
  ): void => {
    taken.add(path);
    used.add(column);
    const checks: RuleInput['checks'] = path === 'assetId' ? ['Mandatory', 'Unique'] : [];
    const rules = rulesOf(column.header, path, reading, checks);
    const own = rules.at(-1)!;
    for (const rule of rules) {
      found.push({ rule, confidence, reason: rule === own ? reason : partOf(column) });
    }
  };
  for (const { column, names, score, reason, reading } of candidates(usable, facts)) {
    if (taken.has(names.path) || used.has(column)) continue;
    take(column, names.path, shownConfidence(reading.doubt ? score * DOUBT : score), reason, reading);
  }
  if (!taken.has('assetId')) {
    const id = idRule(usable, used);
    if (id) found.push(id);
  }
  const status = taken.has('assetStatus') ? null : statusByWords(usable.filter((column) => !used.has(column)));
  if (status) take(status.column, 'assetStatus', status.confidence, status.reason, status.reading);
  const columnOf = (header: string): ReadColumn => usable.find((column) => column.header === header) ?? { cells: [] };
  const all = [...kept, ...withGuards(found, columnOf), ...secondRules(usable, taken, [...kept, ...found])];
  if (!taken.has('assetType')) all.push(...assetTypeRule(all, input.earlier ?? []));
  const place = new Map(usable.map((column, index) => [column.header, index]));
  const rank = ({ rule }: RuleSuggestion) =>
    rule.targetCol === 'assetId' ? -1 : (place.get(rule.originCol ?? '') ?? usable.length);
  return readingCells(all).sort((a, b) => rank(a) - rank(b));
}

/** An id made of several columns reads their cells, also where a rule makes a field that is called like one of them. */
function readingCells(suggestions: readonly RuleSuggestion[]): RuleSuggestion[] {
  const made = new Set(suggestions.map(({ rule }) => rule.targetCol));
  return suggestions.map((suggestion) => {
    const { targetCol, serializations } = suggestion.rule;
    if (targetCol !== 'assetId' || !serializations) return suggestion;
    const steps = serializations.map((step) =>
      step.type === 'concat'
        ? {
            ...step,
            parts: step.parts.map((part) =>
              'column' in part && made.has(part.column) ? { column: `origin.${part.column}` } : part,
            ),
          }
        : step,
    );
    return { ...suggestion, rule: { ...suggestion.rule, serializations: steps } };
  });
}

const partOf = ({ header }: SampleColumn): string =>
  `a part of the date of "${header}", for the rule below; not stored`;

/** What the columns tell of one another: the one that names currencies, and whether days come first. */
function factsOf(columns: readonly SampleColumn[]): TapeFacts {
  const currency = columns.find((column) => {
    const { header } = column;
    const named = nameScores(header).find(({ names }) => names.path === 'currency');
    if (!named || named.score < 0.9) return false;
    const { share } = readValues(summarizeColumn(column), named.names, header).fit;
    return share !== null && share > 0.9;
  });
  return {
    currencyColumn: currency?.header ?? null,
    dayFirst: dayFirstOf(columns.map(({ cells }) => cells)),
  };
}

function idRule(columns: readonly SampleColumn[], used: ReadonlySet<SampleColumn>): RuleSuggestion | null {
  const choice = chooseId(columns, (column) => used.has(column));
  const [first, ...others] = choice?.columns ?? [];
  if (!choice || !first) return null;
  const parts = others.map(({ header }) => ({ column: header }));
  return {
    rule: {
      originCol: first.header,
      targetCol: 'assetId',
      checks: ['Mandatory', 'Unique'],
      serializations:
        parts.length === 0 ? [{ type: 'text' }] : [{ type: 'text' }, { type: 'concat', parts, separator: ' / ' }],
    },
    confidence: parts.length === 0 ? 0.3 : 0.2,
    reason: choice.reason,
  };
}

/** Days of a month where only months past due are counted. */
const DAYS_A_MONTH = 30;

/** A second rule on what another reads already: days past due from a status that counts months. */
function secondRules(
  columns: readonly SampleColumn[],
  taken: ReadonlySet<string>,
  suggestions: readonly RuleSuggestion[],
): RuleSuggestion[] {
  const second: RuleSuggestion[] = [];
  const status = suggestions.find(({ rule }) => rule.targetCol === 'assetStatus');
  const column = columns.find(({ header }) => header === status?.rule.originCol);
  if (column && !taken.has('daysPastDue')) {
    const summary = summarizeColumn(column);
    if (readStatuses(summary, column.header).isMonthsPastDue) {
      const words = summary.distinct.flatMap(({ value }) => (/^\d+$/.test(value) ? [] : [value]));
      const omitted = [...new Set([...summary.missing, ...words])];
      second.push({
        rule: {
          originCol: column.header,
          targetCol: 'daysPastDue',
          serializations: [
            ...(omitted.length > 0 ? [{ type: 'omit' as const, values: omitted }] : []),
            { type: 'number' },
            { type: 'multiply', value: DAYS_A_MONTH },
          ],
        },
        confidence: 0.6,
        reason: `"${column.header}" counts months past due, taken as ${DAYS_A_MONTH} days each`,
      });
    }
  }
  return second;
}

/** What each row is where no column says it: as the company's earlier mapping had it, else a loan. */
function assetTypeRule(
  suggestions: readonly RuleSuggestion[],
  earlier: readonly (readonly Rule[])[],
): RuleSuggestion[] {
  if (earlier.some((rules) => rules.length > 0)) {
    const before = earlier
      .flat()
      .find((rule) => rule.originCol === null && rule.targetCol === 'assetType' && !usesOthers(rule));
    const reason = "Every row was said to be so in this company's earlier mapping";
    return before ? [{ rule: { ...before, sequence: undefined }, confidence: 0.98, reason }] : [];
  }
  if (!suggestions.some(({ rule }) => rule.targetCol === 'assetId')) return [];
  return [
    {
      rule: {
        originCol: null,
        targetCol: 'assetType',
        // biome-ignore lint/suspicious/noThenProperty: the word of the contract; a case is never awaited
        serializations: [{ type: 'switchCase', cases: [{ equals: null, then: 'loan' }] }],
      },
      confidence: 0.6,
      reason: 'No column says what kind of asset a row is, so each is a loan; change it where they are investments',
    },
  ];
}

interface Candidate {
  readonly column: SampleColumn;
  readonly names: TargetNames;
  readonly reading: ValueReading;
  /** For putting in order; what is told of it is `shownConfidence`. */
  readonly score: number;
  readonly reason: string;
}

const quoteAll = (words: readonly string[]): string => words.map((word) => `"${word}"`).join(', ');

/** What a doubt that only the person can settle leaves of how sure a suggestion is. */
const DOUBT = 0.75;

const bestOf = (scored: readonly NameScore[]): number => Math.max(...scored.map(({ score }) => score));

/** A name that says a field by itself needs no group above it to say more. */
const CLEAR_NAME = 0.7;

/** What a header is like; one that says little ("Current", "Net") together with the group it stands under ("Balances", "Rates"). */
function scoresOf({ header, group }: SampleColumn): { scored: NameScore[]; other: number } {
  const alone = { scored: nameScores(header), other: otherScore(header) };
  if (!group || bestOf(alone.scored) >= CLEAR_NAME) return alone;
  const whole = `${group.replace(/(?<=[a-z]{2}[a-rtv-z])s$/i, '')} ${header}`;
  const together = { scored: nameScores(whole), other: otherScore(whole) };
  return bestOf(together.scored) > bestOf(alone.scored) ? together : alone;
}

const SOUND: ReadonlySet<string> = new Set(['current', 'performingAsset']);
const UNSOUND: ReadonlySet<string> = new Set(['pastDue', 'delinquent', 'default', 'chargedOff', 'nonPerformingAsset']);

/** A column that no name gives away, but whose every word means a status: some sound, some not. */
function statusByWords(columns: readonly SampleColumn[]) {
  for (const column of columns) {
    const summary = summarizeColumn(column);
    if (summary.filled.some(({ tag }) => tag !== CellTag.text)) continue;
    const meant = new Set(summary.words.map(({ value }) => statusMeant(value, false)));
    const isAny = (statuses: ReadonlySet<string>): boolean => [...meant].some((each) => each && statuses.has(each));
    if (meant.has(null) || !isAny(SOUND) || !isAny(UNSOUND)) continue;
    const reading = readValues(summary, { shape: 'status' }, column.header);
    const reason = `"${column.header}" is not named so, but all its values read as statuses; ${reading.fit.words}`;
    return { column, reading, reason, confidence: 0.6 };
  }
  return null;
}

/** Every believable pair of column and field, the surest first; ties in the order of the sheet. */
function candidates(columns: readonly SampleColumn[], facts: TapeFacts): Candidate[] {
  const pairs: Candidate[] = [];
  const numbered = numberedNames(columns.map(({ header }) => header));
  const repeated = new Map([...numbered.values()].flatMap((several) => several.map((header) => [header, several])));
  for (const column of columns) {
    const { header } = column;
    const summary = summarizeColumn(column);
    const { scored, other } = scoresOf(column);
    // A column plainly named for one field is no second best for another.
    const least = Math.max(LEAST_CONFIDENCE, bestOf(scored) - 0.3, other);
    const several = repeated.get(header);
    const which = several ? `${quoteAll(several)} have one name in the sheet: check which is meant` : null;
    for (const { names, score: likeness, as } of scored) {
      if (likeness < least) continue;
      const read = readValues(summary, names, header, facts);
      const doubts = [read.doubt, which].filter((doubt) => doubt !== null);
      const reading = doubts.length > 0 ? { ...read, doubt: doubts.join('; ') } : read;
      const score = combine(likeness, reading.fit);
      if (score < LEAST_CONFIDENCE) continue;
      const words = [`"${header}" reads as ${as}; ${reading.fit.words}`, ...(reading.doubt ? [reading.doubt] : [])];
      if (reading.missing.length > 0) words.push(`${quoteAll(reading.missing)} taken as missing`);
      pairs.push({ column, names, reading, score, reason: words.join('; ') });
    }
  }
  return pairs.sort((a, b) => b.score - a.score);
}

/** Values that contradict a name outweigh it; values that fit make it surer. An empty column leaves the name alone. */
function combine(name: number, fit: ShapeFit): number {
  if (fit.share === null) return name * 0.85;
  return fit.share < 0.5 ? name * fit.share : 0.75 * name + 0.25 * fit.share;
}

/** Nothing that was only read off a sheet is certain. */
const shownConfidence = (score: number): number => Math.round(Math.min(score, 0.97) * 100) / 100;
