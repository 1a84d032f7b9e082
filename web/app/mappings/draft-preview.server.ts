import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { mappingSchema } from '@tapeline/domain/tapes/mapping.schema.ts';
import type { PreviewMappingInput } from '@tapeline/workflows/preview/activities.ts';
import type { PreviewedRows, SheetHead } from '@tapeline/workflows/preview/preview.ts';
import type { RequestContext } from '../context.ts';
import { draftOnFile, inspectFile } from '../previews.server.ts';
import { bodyOfDraft, type MappingDraft, targetLabel, textOf } from './draft.ts';
import type { DraftPreview, PreviewedFile, RuleSample, SheetColumn } from './draft-preview.ts';

type Calls = Pick<RequestContext, 'temporal' | 'log'>;

/** A screen is shown without its preview rather than waiting longer for a worker. */
const PATIENCE_MS = 8_000;
const SAMPLE_ROWS = 12;
const OPEN_SAMPLE_ROWS = 40;
/** Rules whose cells stand side by side; the others show theirs when opened. */
const SIDE_BY_SIDE_RULES = 30;
const EXAMPLES = 3;

function within<Result>(work: Promise<Result>): Promise<Result | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), PATIENCE_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/**
 * The head of the file, or in words why it cannot be shown.
 * @param sheet unless it says otherwise, its name is a mapping's, from which this file's may differ by its date
 */
export async function headOf(
  context: Calls,
  file: PreviewedFile,
  sheet: Omit<Parameters<typeof inspectFile>[1], 'fileId'>,
): Promise<{ head: SheetHead } | { fault: string }> {
  try {
    const head = await within(inspectFile(context, { isMappingsSheet: true, ...sheet, fileId: file.fileId }));
    return head ? { head } : { fault: 'No worker answered in time. Reload the page in a moment.' };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { fault: error.message };
  }
}

/** Each column of the sheet with a few of its values, for choosing from. */
const columnsOf = (head: SheetHead): SheetColumn[] =>
  head.columns.map((column, place) => {
    const examples = new Set<string>();
    for (const { cells } of head.rows) {
      const cell = cells[place];
      if (cell && cell.kind !== 'blank') examples.add(cell.text);
      if (examples.size === EXAMPLES) break;
    }
    return { header: column.header, examples: [...examples] };
  });

/** Rules the preview can run, each with its place in the draft: one at fault takes with it those that use it. */
function soundRules(draft: MappingDraft): { places: number[]; leftOut: number[] } {
  const body = bodyOfDraft(draft);
  let places = body.rules.map((_, index) => index);
  for (let round = 0; round < body.rules.length; round++) {
    const rules = places.map((place) => body.rules[place]);
    const result = mappingSchema.safeParse({ ...body, rules, cutOffDate: null, loanTapeSheetName: 'any sheet' });
    if (result.success) break;
    const faulty = new Set(
      result.error.issues.flatMap(({ path }) => (path[0] === 'rules' && typeof path[1] === 'number' ? [path[1]] : [])),
    );
    if (faulty.size === 0) break;
    places = places.filter((_, index) => !faulty.has(index));
  }
  const kept = new Set(places);
  return { places, leftOut: body.rules.flatMap((_, index) => (kept.has(index) ? [] : [index])) };
}

/** Amounts come with the four digits they are stored with: `301.1500 USD` reads `301.15 USD`. */
const withoutEmptyCents = (value: string): string => value.replace(/^(-?\d+\.\d{2})00(?= [A-Z]{3}$)/, '$1');

type Drafted = { head: SheetHead } & ({ mapped: PreviewedRows } | { fault: string });

/** The file's head with the rows that the rules make of it, or in words why not; nothing but words where the file itself cannot be read. */
async function draftedRows(
  context: Calls,
  input: PreviewMappingInput,
): Promise<Drafted | { head: null; fault: string }> {
  try {
    const drafted = await within(draftOnFile(context, input));
    if (!drafted) return { head: null, fault: 'No worker answered in time. Change anything to try again.' };
    const { head, mapped } = drafted;
    return mapped ? { head, mapped } : { head, fault: drafted.fault ?? 'The rules make no rows of this file.' };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { head: null, fault: error.message };
  }
}

/** A draft without a rule that could run still has the file's columns to choose from. */
async function headWithoutRules(
  context: Calls,
  file: PreviewedFile,
  draft: MappingDraft,
): Promise<{ head: SheetHead | null; fault: string }> {
  const inspected = await headOf(context, file, { sheetName: draft.loanTapeSheetName || null });
  if ('fault' in inspected) return { head: null, fault: inspected.fault };
  return { head: inspected.head, fault: 'Write a rule for assetId first: there is nothing to show yet.' };
}

/**
 * The first rows of the file beside the same rows as the draft would make them. Rules at fault are left out and named.
 * @param open the rule whose cells are shown at length
 * @param known the head where it was read a moment ago: it stands in where no worker answers
 */
export async function previewDraft(
  context: Calls,
  draft: MappingDraft,
  file: PreviewedFile,
  open: number | null,
  known?: SheetHead,
): Promise<DraftPreview> {
  const empty = { file, rows: 0, assets: 0, errored: 0, missingHeaders: [], leftOut: [], samples: [], failures: [] };
  const { places, leftOut } = soundRules(draft);
  const rules = places.map((place) => draft.rules[place]?.rule);
  const outcome =
    places.length === 0
      ? await headWithoutRules(context, file, draft)
      : await draftedRows(context, {
          fileId: file.fileId,
          sheetName: draft.loanTapeSheetName || null,
          isMappingsSheet: true,
          cutOffDate: draft.cutOffDate || file.cutOffDate,
          primaryCurrency: draft.primaryCurrency,
          rules,
        });
  const head = outcome.head ?? known;
  if (!head) return { ...empty, columns: [], sheets: [], fault: 'fault' in outcome ? outcome.fault : null };
  const nothing = { ...empty, leftOut, columns: columnsOf(head), sheets: head.sheets.map(({ name }) => name) };
  if ('fault' in outcome) return { ...nothing, fault: outcome.fault };
  const { mapped } = outcome;
  const columnOf = new Map(head.columns.map(({ header }, place) => [header.trim().toLowerCase(), place]));
  // The preview tells of rules in the order they run, which is the draft's own.
  const samples = places.flatMap((place, index): RuleSample[] => {
    const isOpen = place === open;
    if (!isOpen && index >= SIDE_BY_SIDE_RULES) return [];
    const rule = draft.rules[place]?.rule ?? {};
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
      };
    });
    return [{ rule: place, header: header || null, target: targetLabel(rule), cells }];
  });
  const failures = places.flatMap((place, index) => {
    const failing = mapped.rows.filter(({ cells }) => cells[index]?.error);
    const [first] = failing;
    return first
      ? [{ rule: place, count: failing.length, row: first.row, reason: first.cells[index]?.error ?? '' }]
      : [];
  });
  return {
    ...nothing,
    rows: mapped.rows.length,
    assets: mapped.assets,
    errored: mapped.errored,
    missingHeaders: mapped.missingHeaders,
    samples,
    failures: failures.sort((a, b) => b.count - a.count),
    fault: null,
  };
}
