import { pick } from '@tapeline/domain/documents/pick.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { soundRules } from '@tapeline/domain/tapes/sound-rules.ts';
import type { RuleSuggestion } from '@tapeline/domain/tapes/suggest/rule-suggestion.ts';
import type { PreviewMappingInput } from '@tapeline/workflows/preview/activities.ts';
import type { PreviewedRows, SheetHead } from '@tapeline/workflows/preview/preview.ts';
import { type Asker, draftOnFile, inspectFile } from '../../../commands/previews.server.ts';
import { findingsOf, triedSuggestions } from '../../../commands/tried-suggestions.server.ts';
import { bodyOfDraft, draftOfSuggestions, type MappingDraft, targetLabel, textOf } from './draft.ts';
import type { DraftPreview, PreviewedFile, RuleSample, SheetColumn } from './draft-preview.ts';

/** After this time a screen is shown without its preview. */
const PATIENCE_MS = 8_000;
const SAMPLE_ROWS = 12;
const OPEN_SAMPLE_ROWS = 40;
/** Rules whose cells are shown side by side. The others show theirs when opened. */
const SIDE_BY_SIDE_RULES = 30;
const EXAMPLES = 3;

/**
 * The head of the file, or a message explaining why it cannot be shown.
 * @param sheet its name comes from a mapping by default, so this file's name may differ by its date
 */
export async function sheetHeadOf(
  asker: Asker,
  file: PreviewedFile,
  sheet: Omit<Parameters<typeof inspectFile>[1], 'fileId'>,
): Promise<{ head: SheetHead } | { problem: string }> {
  try {
    const question = { isMappingsSheet: true, ...sheet, fileId: file.fileId };
    return { head: await inspectFile(asker, question, { withinMs: PATIENCE_MS, place: `head of ${file.fileId}` }) };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { problem: error.message };
  }
}

/** Each column of the sheet with a few of its values, for choosing from. */
const columnsOf = (head: SheetHead): SheetColumn[] =>
  head.columns.map((column, index) => {
    const examples = new Set<string>();
    for (const { cells } of head.rows) {
      const cell = cells[index];
      if (cell && cell.kind !== 'blank') examples.add(cell.text);
      if (examples.size === EXAMPLES) break;
    }
    return { header: column.header, examples: [...examples] };
  });

/** Amounts have the four decimal digits that they are stored with: `301.1500 USD` becomes `301.15 USD`. */
const withoutEmptyCents = (value: string): string => value.replace(/^(-?\d+\.\d{2})00(?= [A-Z]{3}$)/, '$1');

type Drafted = { head: SheetHead } & ({ mapped: PreviewedRows } | { problem: string });

/**
 * The file's head with the rows that the rules produce, or an error message. Only a message if the file itself cannot
 * be read.
 */
async function draftedRows(
  asker: Asker,
  input: PreviewMappingInput,
): Promise<Drafted | { head: null; problem: string }> {
  try {
    const options = { withinMs: PATIENCE_MS, place: `draft on ${input.fileId}` };
    const { head, mapped, problem } = await draftOnFile(asker, input, options);
    return mapped ? { head, mapped } : { head, problem: problem ?? 'The rules produce no rows from this file.' };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { head: null, problem: error.message };
  }
}

/** A draft without a runnable rule still has the file's columns to choose from. */
async function headWithoutRules(
  asker: Asker,
  file: PreviewedFile,
  draft: MappingDraft,
): Promise<{ head: SheetHead | null; problem: string }> {
  const inspected = await sheetHeadOf(asker, file, { sheetName: draft.loanTapeSheetName || null });
  if ('problem' in inspected) return { head: null, problem: inspected.problem };
  return { head: inspected.head, problem: 'Add a rule for assetId first.' };
}

/**
 * The first rows of the file next to the same rows as the draft would map them. Rules with errors are left out and
 * listed.
 * @param open the rule whose cells are shown in full
 * @param known the head if it was read a moment ago, used if no worker answers
 */
export async function previewDraft(
  asker: Asker,
  draft: MappingDraft,
  file: PreviewedFile,
  open: number | null,
  known?: SheetHead,
): Promise<DraftPreview> {
  const empty = {
    file,
    rows: 0,
    assets: 0,
    errored: 0,
    warned: 0,
    missingHeaders: [],
    leftOut: [],
    samples: [],
    failures: [],
    warnings: [],
    notices: [],
  };
  const { sound: indexes, leftOut } = soundRules(bodyOfDraft(draft));
  const rules = indexes.map((index) => draft.rules[index]?.rule);
  const outcome =
    indexes.length === 0
      ? await headWithoutRules(asker, file, draft)
      : await draftedRows(asker, {
          fileId: file.fileId,
          sheetName: draft.loanTapeSheetName || null,
          isMappingsSheet: true,
          cutOffDate: draft.cutOffDate || file.cutOffDate,
          primaryCurrency: draft.primaryCurrency,
          rules,
        });
  const head = outcome.head ?? known;
  if (!head) return { ...empty, columns: [], sheets: [], problem: 'problem' in outcome ? outcome.problem : null };
  const nothing = {
    ...empty,
    leftOut,
    columns: columnsOf(head),
    sheets: head.sheets.map(({ name }) => name),
    notices: head.notices ?? [],
  };
  if ('problem' in outcome) return { ...nothing, problem: outcome.problem };
  const { mapped } = outcome;
  const columnOf = new Map(head.columns.map(({ header }, index) => [header.trim().toLowerCase(), index]));
  // The preview reports rules in the order in which they run, which is the draft's order.
  const samples = indexes.flatMap((of, index): RuleSample[] => {
    const isOpen = of === open;
    if (!isOpen && index >= SIDE_BY_SIDE_RULES) return [];
    const rule = draft.rules[of]?.rule ?? {};
    const header = textOf(rule.originCol);
    const column = columnOf.get(header.trim().toLowerCase());
    const cells = mapped.rows.slice(0, isOpen ? OPEN_SAMPLE_ROWS : SAMPLE_ROWS).map(({ row, cells }, at) => {
      const cell = column === undefined ? undefined : head.rows[at]?.cells[column];
      const made = cells[index];
      return {
        row,
        read: cell && cell.kind !== 'blank' ? cell.text : null,
        made: made?.value == null ? null : withoutEmptyCents(made.value),
        error: made?.error ?? null,
        warning: made?.warning ?? null,
      };
    });
    return [{ rule: of, header: header || null, target: targetLabel(rule), cells }];
  });
  return {
    ...nothing,
    rows: mapped.rows.length,
    ...pick(mapped, 'assets', 'errored', 'warned', 'missingHeaders'),
    samples,
    failures: findingsOf(indexes, mapped, 'error'),
    warnings: findingsOf(indexes, mapped, 'warning'),
    problem: null,
  };
}

/** The suggestions as a draft, each tried on the file before it is scored. */
export async function draftOfTriedSuggestions(
  asker: Asker,
  suggestions: readonly RuleSuggestion[],
  file: PreviewedFile,
  sheet: Parameters<typeof draftOfSuggestions>[1],
): Promise<MappingDraft> {
  return draftOfSuggestions(await triedSuggestions(asker, suggestions, { ...file, ...sheet }), sheet);
}
