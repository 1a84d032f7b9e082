import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { numberedNames } from '@tapeline/sheets/repeated-headers.ts';
import { formatFigure } from '../../money/format-figure.ts';
import { isCurrencyCode } from '../../money/minor-units.ts';
import { leavesEmpty, type MappingRule, type RuleInput } from '../rule.schema.ts';
import { withoutTotals } from '../sample-rows.ts';
import { resolveTarget } from '../target-schema.ts';
import { type HeadedColumn, type ReadColumn, type ShapeFit, summarizeColumn } from './column-shape.ts';
import type { ColumnSummary, FigureForm } from './column-summary.ts';
import { dayFirstOf, writtenDate } from './dates.ts';
import { earlierRules, keepRule } from './earlier.ts';
import { languageOf } from './foreign-words.ts';
import { withGuards } from './guards.ts';
import { sharedPrefix, withoutPrefix } from './header-prefix.ts';
import { isKnownWord, type NameScore, nameScores, otherScore, wordsOf } from './header-words.ts';
import { namedCurrencies } from './named-currencies.ts';
import { contradictionsOf, type JudgedField, type RowValues, rowValues } from './plausibility.ts';
import { MIN_ON, type RuleSuggestion } from './rule-suggestion.ts';
import { runningBalance } from './running-balance.ts';
import { readValues, ruleOf, type TapeEvidence, type ValueReading } from './steps.ts';
import type { TargetNames } from './target-synonyms.ts';
import { assetTypeRule, idRule, secondRules, statusByWords } from './unnamed-fields.ts';

/** A column of a new tape: its header, the cells of the first rows, and what the rows below contain. */
export interface SampleColumn extends HeadedColumn {
  /** The text above the header that spans a group of columns: "Balances" above "Original" and "Current". */
  readonly group?: string | undefined;
  /** Signs or codes of currencies that the formats of its numbers show in a workbook. */
  readonly currencyMarks?: readonly string[] | undefined;
}

export interface SuggestionInput {
  readonly columns: readonly SampleColumn[];
  /** Rules of the company's earlier mappings, latest first. */
  readonly earlier?: readonly (readonly MappingRule[])[];
}

/** Columns after these have no suggestion. A sheet can have 16,384, and no tape is as wide as this. */
const MAX_COLUMNS = 1_000;
/** Below this, a matching name is a coincidence. */
const MIN_LIKENESS = 0.5;
/**
 * Maximum number of suggestions that are dropped one by one to make room for others; limits the work on very wide
 * tapes.
 */
const MAX_TURNS = 40;
/** Factor on the score of a suggestion that the data contradict. */
const CONTRADICTED = 0.5;

/**
 * Suggests a mapping for a tape that has not been mapped yet: each column to at most one field and each field from at
 * most one column, surest first. Always names an assetId if any column can be one. Never applied without review.
 */
export function suggestMapping(input: SuggestionInput): RuleSuggestion[] {
  const named = input.columns.filter((column) => column.header.trim() !== '');
  const { columns, labels } = withoutTotals(named.slice(0, MAX_COLUMNS));
  const counts = new Map<string, number>();
  for (const { header } of columns) counts.set(header, (counts.get(header) ?? 0) + 1);
  const usable = columns.filter(({ header }) => counts.get(header) === 1);

  const taken = new Set<string>();
  const used = new Set<SampleColumn>();
  const kept: RuleSuggestion[] = [];
  const facts = factsOf(usable);
  for (const { column, rule } of earlierRules(usable, input.earlier ?? [])) {
    const resolved = resolveTarget(rule.targetCol);
    if (resolved.kind === 'problem' || taken.has(resolved.path)) continue;
    taken.add(resolved.path);
    used.add(column);
    const again = keepRule(column, rule, facts);
    kept.push({ ...again, isOn: again.confidence >= MIN_ON });
  }

  const found: RuleSuggestion[] = [];
  const take = (
    column: SampleColumn,
    path: string,
    confidence: number,
    reason: string,
    reading: ValueReading,
    isOn = true,
  ): void => {
    taken.add(path);
    used.add(column);
    const checks: RuleInput['checks'] = path === 'assetId' ? ['Mandatory', 'Unique'] : [];
    found.push({ rule: ruleOf(column.header, path, reading, checks), confidence, reason, isOn });
  };
  const pairs = candidates(usable, facts);
  const { chosen, contradicted } = assign(
    pairs,
    taken,
    used,
    kept.flatMap((each) => judgedOf(each, usable)),
  );
  for (const { column, names, likeness, isVague, score, reason, reading } of chosen) {
    const doubted = reading.doubt || likeness < LIKE_NAME ? score * DOUBT : score;
    const confidence = shownConfidence(isVague ? Math.min(doubted, MAX_VAGUE) : doubted);
    // What the values say about ids is surer than such a name.
    if (names.path === 'assetId' && confidence < MIN_ON) continue;
    take(column, names.path, confidence, reason, reading, confidence >= MIN_ON);
  }
  for (const [{ column, names, score, reason, reading }, words] of contradicted) {
    if (taken.has(names.path) || used.has(column)) continue;
    const confidence = shownConfidence(score * CONTRADICTED);
    take(column, names.path, confidence, `doubtful: ${words}; ${reason}`, reading, false);
  }
  if (!found.concat(kept).some(({ rule, isOn }) => isOn && rule.targetCol === 'assetId')) {
    // The number of a row is the last resort, for a sheet with something to map and no earlier mapping with an id.
    const mayBeRow = kept.length === 0 && found.some(({ isOn }) => isOn);
    const id = idRule(usable, used, mayBeRow);
    if (id) found.push(id);
  }
  const status = taken.has('assetStatus') ? null : statusByWords(usable.filter((column) => !used.has(column)));
  if (status) take(status.column, 'assetStatus', status.confidence, status.reason, status.reading);
  const columnOf = (header: string): ReadColumn => usable.find((column) => column.header === header) ?? { cells: [] };
  const made = [...withGuards(found, columnOf, labels), ...secondRules(usable, taken, [...kept, ...found])];
  const all = [...kept, ...made.map(leavingEmpty)];
  if (!taken.has('assetType')) all.push(...assetTypeRule(all, input.earlier ?? []));
  const place = new Map(usable.map((column, index) => [column.header, index]));
  const rank = ({ rule }: RuleSuggestion) =>
    rule.targetCol === 'assetId' ? -1 : (place.get(rule.originCol ?? '') ?? usable.length);
  return readingCells(all).sort((a, b) => rank(a) - rank(b));
}

/** A cell that cannot be read costs its field, and not the whole loan. A rule of an earlier mapping says it itself. */
const leavingEmpty = (suggestion: RuleSuggestion): RuleSuggestion => {
  const rule = { ...suggestion.rule, onUnreadable: 'empty' as const };
  return leavesEmpty(rule) ? { ...suggestion, rule } : suggestion;
};

/**
 * Assigns each column to one field and each field to one column, surest first. A suggestion that the data contradict
 * gives up its field to the next one, until nothing is contradicted.
 */
function assign(
  pairs: readonly Candidate[],
  takenPaths: ReadonlySet<string>,
  usedColumns: ReadonlySet<SampleColumn>,
  fixed: readonly JudgedField[],
): { chosen: Candidate[]; contradicted: Map<Candidate, string> } {
  const contradicted = new Map<Candidate, string>();
  for (const pair of pairs) if (pair.repeats) contradicted.set(pair, pair.repeats);
  const known = new Map<Candidate, RowValues>();
  const valuesIn = (pair: Candidate): RowValues => {
    const values = known.get(pair) ?? rowValues(pair.names.path, pair.column.cells, pair.form, pair.reading);
    known.set(pair, values);
    return values;
  };
  for (let turn = 0; ; turn += 1) {
    const [paths, columns] = [new Set(takenPaths), new Set(usedColumns)];
    const chosen = pairs.filter((pair) => {
      if (contradicted.has(pair) || paths.has(pair.names.path) || columns.has(pair.column)) return false;
      paths.add(pair.names.path);
      columns.add(pair.column);
      return true;
    });
    const pairOf = new Map(chosen.map((pair) => [pair.names.path, pair]));
    const judged = chosen.map((pair) => ({
      path: pair.names.path,
      score: pair.score,
      cells: pair.column.cells,
      values: valuesIn(pair),
    }));
    const blamed = contradictionsOf([...fixed, ...judged])
      .flatMap(({ path, words }) => {
        const pair = pairOf.get(path);
        return pair ? [{ pair, words }] : [];
      })
      .sort((a, b) => a.pair.score - b.pair.score);
    const [worst] = blamed;
    if (!worst) return { chosen, contradicted };
    // Drop the least sure one first: the one that contradicts it may be right.
    if (turn < MAX_TURNS) {
      contradicted.set(worst.pair, worst.words);
      continue;
    }
    for (const { pair, words } of blamed) contradicted.set(pair, words);
    return { chosen: chosen.filter((pair) => !contradicted.has(pair)), contradicted };
  }
}

/** A rule kept from an earlier mapping, for comparison with the other suggestions: a person has reviewed it. */
function judgedOf({ rule, isOn }: RuleSuggestion, columns: readonly SampleColumn[]): JudgedField[] {
  const resolved = resolveTarget(rule.targetCol);
  const column = columns.find(({ header }) => header === rule.originCol);
  if (!isOn || resolved.kind !== 'field' || !column || rule.checks?.includes('Temporary')) return [];
  const missing = rule.serializations.flatMap((step) => (step.type === 'omit' ? step.values.map(String) : []));
  const reading = { steps: rule.serializations, missing };
  const { form } = summarizeColumn(column);
  const values = rowValues(resolved.path, column.cells, form, reading);
  return [{ path: resolved.path, score: SEEN, cells: column.cells, values }];
}

/** Higher than the score of any suggestion. */
const SEEN = 2;

/**
 * An id made of several columns must read their cells, even if a rule makes a field with the same name as one of them.
 */
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

/** Columns that every register of invoices has one of: their words in alphabetical order. */
const INVOICE_COLUMNS = new Set(['invoice', 'invoice number', 'id invoice', 'date invoice']);

const DUE_DATES = new Set(['due', 'due date', 'payment due date']);

/** What the columns say about each other: which one names currencies, and whether days come first. */
function factsOf(columns: readonly SampleColumn[]): TapeFacts {
  const headers = columns.map(({ header }) => header);
  const language = languageOf(headers);
  const hasInvoices = headers.some((header) => INVOICE_COLUMNS.has(wordsOf(header, language).sort().join(' ')));
  const said = { language, prefix: sharedPrefix(headers), hasInvoices };
  const scores = new Map(headers.map((header) => [header, readHeader(header, said)]));
  const currency = columns.find((column) => {
    const { header } = column;
    const named = scores.get(header)?.scored.find(({ names }) => names.path === 'currency');
    if (!named || named.score < 0.9) return false;
    const { share } = readValues(summarizeColumn(column), named.names, header).fit;
    return share !== null && share > 0.9;
  });
  return {
    ...said,
    scores,
    currencyColumn: currency?.header ?? null,
    dayFirst: dayFirstOf(columns.map(({ cells }) => cells)),
  };
}

interface Candidate {
  readonly column: SampleColumn;
  readonly names: TargetNames;
  readonly reading: ValueReading;
  /** How the column writes figures. */
  readonly form: FigureForm;
  /** Why an id column does not distinguish assets, in words; null for all others. */
  readonly repeats: string | null;
  /** How similar the header is to a name of the field. */
  readonly likeness: number;
  /** Whether that name means something else on some tapes. */
  readonly isVague: boolean;
  /** For sorting only; the user is shown `shownConfidence`. */
  readonly score: number;
  readonly reason: string;
}

const quoteAll = (words: readonly string[]): string => words.map((word) => `"${word}"`).join(', ');

/** Factor on the score if there is a doubt that only a person can resolve. */
const DOUBT = 0.75;
/** Maximum confidence of a suggestion by a vague name, however well the values fit. */
const MAX_VAGUE = 0.85;
/** Of the headers that are less similar to a name, a third mean something else. */
const LIKE_NAME = 0.58;

const bestOf = (scored: readonly NameScore[]): number => Math.max(...scored.map(({ score }) => score));

/** The header is a name of the field. */
const EXACT_NAME = 0.855;

/** A name that identifies a field this well does not need the group above it. */
const CLEAR_NAME = 0.7;

const areDates = (filled: ColumnSummary['filled']): boolean =>
  filled.length > 0 && filled.every((cell) => cell.tag === CellTag.date || writtenDate(cell) !== null);

const saysLittle = ({ scored, other }: { scored: readonly NameScore[]; other: number }): boolean =>
  bestOf(scored) < CLEAR_NAME && other < CLEAR_NAME;

/** "Drawdown" above dates is the date of the drawdown. */
const clearer = (own: HeaderScores, said: NameScore[]): HeaderScores =>
  bestOf(said) >= EXACT_NAME ? { ...own, scored: said } : own;

type HeaderFacts = Pick<TapeEvidence, 'language' | 'prefix' | 'hasInvoices'>;

/** The evidence of a tape, with the scores of its headers. */
interface TapeFacts extends TapeEvidence {
  readonly scores: ReadonlyMap<string, HeaderScores>;
}

interface HeaderScores {
  readonly scored: NameScore[];
  /** How clearly no field takes the column. */
  readonly other: number;
}

/** The scores of a header, with and without the word that almost all headers begin with. */
function readHeader(header: string, { language, prefix, hasInvoices }: HeaderFacts): HeaderScores {
  const stripped = withoutPrefix(header, prefix);
  // A loan has many due dates, and an invoice has one.
  const isDueDate = hasInvoices && DUE_DATES.has(wordsOf(stripped, language).join(' '));
  const short = isDueDate ? 'invoice due date' : stripped;
  const scored = nameScores(short, language);
  if (short === header || prefix === null || !isKnownWord(prefix)) {
    return { scored, other: otherScore(short, language) };
  }
  // The word can be part of the name: "loan" of "loan amount", in a list of loans.
  const whole = nameScores(header, language);
  const better = whole.map((score, field) => (scored[field]!.score > score.score ? scored[field]! : score));
  return { scored: better, other: otherScore(header, language) };
}

/** The scores of a header. One that says little ("Current", "Net") is read together with its group ("Balances", "Rates"). */
function scoresOf({ header, group }: SampleColumn, facts: TapeFacts, { filled }: ColumnSummary): HeaderScores {
  const { language } = facts;
  const own = facts.scores.get(header) ?? readHeader(header, facts);
  const alone = areDates(filled) && saysLittle(own) ? clearer(own, nameScores(`${header} date`, language)) : own;
  if (!group || bestOf(alone.scored) >= CLEAR_NAME) return alone;
  const whole = `${group.replace(/(?<=[a-z]{2}[a-rtv-z])s$/i, '')} ${header}`;
  const together = { scored: nameScores(whole, language), other: otherScore(whole, language) };
  return bestOf(together.scored) > bestOf(alone.scored) ? together : alone;
}

/**
 * The one currency that the tape names: in its currency column, in the headers of amounts, in the amounts or in their
 * formats. Null if it
 * names none, or several.
 */
export function currencyOfTape(input: readonly SampleColumn[]): string | null {
  const { currencyColumn } = factsOf(input);
  const column = input.find(({ header }) => header === currencyColumn);
  const codes = column ? summarizeColumn(column).words.map(({ value }) => value.toUpperCase()) : [];
  const [only, ...others] = new Set([...codes.filter(isCurrencyCode), ...namedCurrencies(input)]);
  return only !== undefined && others.length === 0 ? only : null;
}

const OUTSTANDING = /^sums\.outstanding/;

/** A doubt about a loan-to-value whose header does not say which one it is. */
const whichLtv = ({ path }: TargetNames, name: string): string | null =>
  path === 'originalLtv' && !/original|initial/.test(name)
    ? 'the header does not say whether it is the original or the current loan-to-value'
    : null;

/** Every credible pair of column and field, surest first; ties in the order of the sheet. */
function candidates(columns: readonly SampleColumn[], facts: TapeFacts): Candidate[] {
  const pairs: Candidate[] = [];
  const running = runningBalance(columns);
  const numbered = numberedNames(columns.map(({ header }) => header));
  const repeated = new Map([...numbered.values()].flatMap((several) => several.map((header) => [header, several])));
  for (const column of columns) {
    const { header } = column;
    const summary = summarizeColumn(column);
    const { scored, other } = scoresOf(column, facts, summary);
    // A column that is clearly named for one field is not a second choice for another.
    const best = bestOf(scored);
    const least = Math.max(MIN_LIKENESS, best - (best >= EXACT_NAME ? 0.1 : 0.3), other);
    const several = repeated.get(header);
    const which = several ? `${quoteAll(several)} have the same header in the sheet: check which one is correct` : null;
    for (const { names, score: likeness, as, isVague } of scored) {
      if (likeness < least) continue;
      const read = readValues(summary, names, header, facts);
      const doubts = [read.doubt, which, whichLtv(names, as)].filter((doubt) => doubt !== null);
      const reading = doubts.length > 0 ? { ...read, doubt: doubts.join('; ') } : read;
      const score = combine(likeness, reading.fit);
      if (score < MIN_LIKENESS) continue;
      const words = [`"${header}" reads as ${as}; ${reading.fit.words}`, ...(reading.doubt ? [reading.doubt] : [])];
      if (reading.missing.length > 0) words.push(`${quoteAll(reading.missing)} treated as missing`);
      const isRunning = header === running?.balance && OUTSTANDING.test(names.path);
      const added = isRunning
        ? `it adds up ${quoteAll(running.amounts)} from row to row, as an account statement`
        : null;
      const repeats = names.path === 'assetId' ? repeatsOf(summary) : (reading.contradiction ?? added);
      pairs.push({
        column,
        names,
        reading,
        form: summary.form,
        repeats,
        likeness,
        isVague,
        score,
        reason: words.join('; '),
      });
    }
  }
  return pairs.sort((a, b) => b.score - a.score);
}

/** An id can repeat by mistake. If less than this share of the values is distinct, it is an id of something else. */
const MIN_DISTINCT = 0.98;
/** Fewer values than this can be equal by chance. */
const MIN_IDS = 5;

/** The reason given for a column of ids that repeat. */
function repeatsOf({ counted: { filled, different } }: ColumnSummary): string | null {
  if (filled < MIN_IDS || different >= filled * MIN_DISTINCT) return null;
  return `only ${formatFigure(different)} of ${formatFigure(filled)} values are different, so it cannot identify assets`;
}

/**
 * Values that contradict a name outweigh it; values that fit make it surer. An empty column is judged by its name
 * alone.
 */
function combine(name: number, fit: ShapeFit): number {
  if (fit.share === null) return name * 0.85;
  return fit.share < 0.5 ? name * fit.share : 0.75 * name + 0.25 * fit.share;
}

/** Nothing that is only inferred from a sheet is certain. */
const shownConfidence = (score: number): number => Math.round(Math.min(score, 0.97) * 100) / 100;
