import { nullIfRefused } from '@tapeline/domain/errors/refusal.ts';
import { soundRules } from '@tapeline/domain/tapes/sound-rules.ts';
import type { RuleSuggestion } from '@tapeline/domain/tapes/suggest/rule-suggestion.ts';
import { type RuleTrial, scoreByTrial } from '@tapeline/domain/tapes/suggest/trial.ts';
import type { PreviewedRows } from '@tapeline/workflows/preview/preview.ts';
import { type Asker, previewMapping } from './previews.server.ts';

/** How long a person waits for a trial. Without one, the suggestions stay unchanged. */
const PATIENCE_MS = 8_000;

/** What a rule does on the first rows of a file. */
export interface RuleFinding {
  /** Index of the rule, 0-based. */
  readonly rule: number;
  readonly count: number;
  /** The first affected row of the sheet. */
  readonly row: number;
  readonly reason: string;
}

/** Rules with cells that have an error or a warning, those with the most first. @param indexes of the rules that ran */
export function findingsOf(
  indexes: readonly number[],
  mapped: PreviewedRows,
  kind: 'error' | 'warning',
): RuleFinding[] {
  const found = indexes.flatMap((rule, index): RuleFinding[] => {
    const rows = mapped.rows.filter(({ cells }) => cells[index]?.[kind]);
    const [first] = rows;
    return first ? [{ rule, count: rows.length, row: first.row, reason: first.cells[index]?.[kind] ?? '' }] : [];
  });
  return found.sort((a, b) => b.count - a.count);
}

/**
 * Tries each suggestion on the file before it is shown: a rule that fails on most of the first rows, or produces
 * implausible values for most of them, is turned off. If no worker answers, the suggestions stay unchanged.
 */
export async function triedSuggestions(
  asker: Asker,
  suggestions: readonly RuleSuggestion[],
  {
    fileId,
    sheetName,
    cutOffDate,
    primaryCurrency,
  }: { fileId: string; sheetName: string; cutOffDate: string; primaryCurrency: string },
): Promise<readonly RuleSuggestion[]> {
  const all = suggestions.map(({ rule: { sequence, ...rule } }) => rule);
  const { sound } = soundRules({ rules: all, primaryCurrency });
  // What cannot be read is evidence against a rule, also if it will only leave a field empty.
  const rules = sound.map((index) => ({ ...all[index], onUnreadable: undefined }));
  const options = { withinMs: PATIENCE_MS, place: `trial on ${fileId}` };
  const sheet = { fileId, sheetName: sheetName || null, isMappingsSheet: true };
  const question = { ...sheet, cutOffDate, primaryCurrency, rules };
  const preview = await previewMapping(asker, question, options).catch(nullIfRefused);
  if (!preview) return suggestions;
  // Rows without an id are totals and notes, so they are no evidence about the other rules.
  const id = sound.findIndex((index) => all[index]?.targetCol === 'assetId');
  const rows = preview.rows.filter(({ cells }) => !cells[id]?.error);
  const mapped = rows.length * 2 > preview.rows.length ? { ...preview, rows } : preview;
  const [failures, warnings] = [findingsOf(sound, mapped, 'error'), findingsOf(sound, mapped, 'warning')];
  const tried = new Set(sound);
  const trials = suggestions.map((_, index): RuleTrial | null => {
    if (!tried.has(index)) return null;
    const failing = failures.find(({ rule }) => rule === index);
    const implausible = warnings.find(({ rule }) => rule === index);
    return {
      rows: mapped.rows.length,
      failing: failing?.count ?? 0,
      implausible: implausible?.count ?? 0,
      reason: failing?.reason ?? implausible?.reason ?? null,
    };
  });
  return scoreByTrial(suggestions, trials);
}
