import { missingWords, type SampleCell, type ShapeFit, shapeFit, summarizeColumn } from './column-shape.ts';
import { headerKey } from './headers.ts';
import type { Rule, RuleInput } from './rule.schema.ts';
import { suggestSteps } from './suggest-steps.ts';
import { CUSTOM_PREFIX, resolveTarget } from './target-schema.ts';
import { ABBREVIATIONS, OTHER_NAMES, TARGET_NAMES, type TargetNames } from './target-synonyms.ts';

/** A column of a new tape: its header and the cells of the first rows. */
export interface SampleColumn {
  readonly header: string;
  readonly cells: readonly SampleCell[];
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
  const columns = input.columns.filter((column) => column.header.trim() !== '');
  const counts = new Map<string, number>();
  for (const { header } of columns) counts.set(headerKey(header), (counts.get(headerKey(header)) ?? 0) + 1);
  const usable = columns.filter(({ header }) => counts.get(headerKey(header)) === 1);

  const taken = new Set<string>();
  const used = new Set<SampleColumn>();
  const suggestions: RuleSuggestion[] = [];
  const take = (column: SampleColumn, path: string, suggestion: RuleSuggestion): void => {
    taken.add(path);
    used.add(column);
    suggestions.push(suggestion);
  };

  for (const { column, rule } of earlierRules(usable, input.earlier ?? [])) {
    const resolved = resolveTarget(rule.targetCol);
    if (resolved.kind === 'fault' || taken.has(resolved.path)) continue;
    const reason = `"${column.header}" was mapped so in this company's earlier mapping`;
    take(column, resolved.path, { rule: { ...rule, sequence: undefined }, confidence: 0.98, reason });
  }
  for (const { column, names, score, reason } of candidates(usable)) {
    if (taken.has(names.path) || used.has(column)) continue;
    take(column, names.path, { rule: ruleFor(column, names), confidence: shownConfidence(score), reason });
  }
  if (!taken.has('assetId')) {
    const fallback = usable.find((column) => !used.has(column) && summarizeColumn(column.cells).distinctShare === 1);
    if (fallback) {
      const reason = `"${fallback.header}" is different in every row, so it can tell assets apart; check it`;
      take(fallback, 'assetId', { rule: ruleFor(fallback, ASSET_ID), confidence: 0.3, reason });
    }
  }
  const place = new Map(usable.map((column, index) => [column.header, index]));
  const rank = ({ rule }: RuleSuggestion) =>
    rule.targetCol === 'assetId' ? -1 : (place.get(rule.originCol ?? '') ?? 0);
  return suggestions.sort((a, b) => rank(a) - rank(b));
}

const ASSET_ID = TARGET_NAMES.find((names) => names.path === 'assetId')!;

/** Earlier rules that stand on a header of this tape and on nothing else. */
function earlierRules(
  columns: readonly SampleColumn[],
  earlier: readonly (readonly Rule[])[],
): { column: SampleColumn; rule: Rule }[] {
  const byHeader = new Map(columns.map((column) => [headerKey(column.header), column]));
  const found = new Map<SampleColumn, Rule>();
  for (const rules of earlier) {
    for (const rule of rules) {
      const column = rule.originCol === null ? undefined : byHeader.get(headerKey(rule.originCol));
      if (!column || found.has(column) || rule.checks.includes('Temporary') || usesOthers(rule)) continue;
      found.set(column, { ...rule, originCol: column.header });
    }
  }
  return [...found].map(([column, rule]) => ({ column, rule }));
}

const usesOthers = (rule: Rule): boolean =>
  rule.serializations.some((step) => step.type === 'ifStatement' || JSON.stringify(step).includes('"column'));

interface Candidate {
  readonly column: SampleColumn;
  readonly names: TargetNames;
  /** For putting in order; what is told of it is `shownConfidence`. */
  readonly score: number;
  readonly reason: string;
}

/** Every believable pair of column and field, the surest first; ties in the order of the sheet. */
function candidates(columns: readonly SampleColumn[]): Candidate[] {
  const pairs: Candidate[] = [];
  for (const column of columns) {
    const summary = summarizeColumn(column.cells);
    const scored = TARGET_NAMES.map((names) => ({ names, name: nameScore(column.header, names) }));
    // A column plainly named for one field is no second best for another.
    const least = Math.max(
      LEAST_CONFIDENCE,
      Math.max(...scored.map(({ name }) => name.score)) - 0.3,
      otherScore(column.header),
    );
    for (const { names, name } of scored) {
      if (name.score < least) continue;
      const fit = shapeFit(summary, names.shape, column.header);
      const score = combine(name.score, fit);
      if (score < LEAST_CONFIDENCE) continue;
      pairs.push({ column, names, score, reason: `"${column.header}" reads as ${name.as}; ${fit.words}` });
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

/** `CURR_BAL` and `currentBalance` are both `current balance`. */
export function wordsOf(header: string): string[] {
  const spaced = header
    .replace(/\bo\/s\b/gi, 'outstanding')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return spaced
    .split(' ')
    .filter((word) => word !== '' && !NOISE.has(word))
    .flatMap((word) => (ABBREVIATIONS[word] ?? word).split(' '));
}

const NOISE = new Set(['of', 'the', 'at', 'in', 'to', 'for', 'as', 'by', 'and', 'usd', 'eur', 'gbp']);

const NAMES = TARGET_NAMES.map((names) => ({ names, spelt: names.names.map((name) => wordsOf(name)) }));
const SPELT = new Map(NAMES.map(({ names, spelt }) => [names.path, spelt]));
/** In how many fields' names a word stands: `date` says little, `recoveries` all. */
const COMMONNESS = new Map<string, number>();
for (const { spelt } of NAMES) {
  for (const word of new Set(spelt.flat())) COMMONNESS.set(word, (COMMONNESS.get(word) ?? 0) + 1);
}
/** A word no field knows weighs the most: it makes the column something else. */
const weight = (word: string): number => 1 / Math.log2(2 + (COMMONNESS.get(word) ?? 0));
const weigh = (words: Iterable<string>): number => [...words].reduce((sum, word) => sum + weight(word), 0);

/** Time since some other event is no field's value, however much of its name it shares with "months since origination". */
const isSinceOtherEvent = (words: ReadonlySet<string>): boolean =>
  words.has('since') && !SINCE_ORIGINATION.some((word) => words.has(word));

const SINCE_ORIGINATION = ['original', 'issue', 'issued', 'funding', 'funded', 'opened'];

/** How alike two names are: 1 where they share every word. */
function likeness(words: ReadonlySet<string>, name: ReadonlySet<string>): number {
  const common = weigh([...words].filter((word) => name.has(word)));
  return (2 * common) / (weigh(words) + weigh(name));
}

const OTHERS = OTHER_NAMES.map((name) => new Set(wordsOf(name)));
/** How plainly a column is one that no field takes. */
function otherScore(header: string): number {
  const words = new Set(wordsOf(header));
  return Math.max(...OTHERS.map((name) => likeness(words, name)));
}

function nameScore(header: string, names: TargetNames): { score: number; as: string } {
  const words = new Set(wordsOf(header));
  if (isSinceOtherEvent(words)) return { score: 0, as: '' };
  let best = { score: 0, as: '' };
  for (const [index, spelt] of (SPELT.get(names.path) ?? []).entries()) {
    const alike = likeness(words, new Set(spelt));
    // The first names of a field are the clearest; the last of them ("amount", "id") are weak even where they match.
    const score = (alike === 1 ? 1 : alike * 0.85) - index * 0.004;
    if (score > best.score) best = { score, as: spelt.join(' ') };
  }
  return best;
}

function ruleFor(column: SampleColumn, names: TargetNames): RuleInput {
  const summary = summarizeColumn(column.cells);
  const omitted = missingWords(summary);
  const omit: RuleInput['serializations'] = omitted.length > 0 ? [{ type: 'omit', values: omitted }] : [];
  return {
    originCol: column.header,
    targetCol: names.path.startsWith(CUSTOM_PREFIX) ? names.path.slice(CUSTOM_PREFIX.length) : names.path,
    checks: names.path === 'assetId' ? ['Mandatory', 'Unique'] : [],
    serializations: [...omit, ...suggestSteps(summary, names, column.header)],
  };
}
