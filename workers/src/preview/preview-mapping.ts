import { refuseIssues } from '@tapeline/domain/errors/refusal.ts';
import { checkHeaders } from '@tapeline/domain/tapes/headers.ts';
import { lackingRules } from '@tapeline/domain/tapes/lacking-rules.ts';
import { planMapping } from '@tapeline/domain/tapes/mapping-plan.ts';
import { type MappingRule, rulesSchema } from '@tapeline/domain/tapes/rule.schema.ts';
import { MISFIT_PROBLEM } from '@tapeline/domain/tapes/tape.schema.ts';
import { unclearFigures } from '@tapeline/domain/tapes/unclear-figures.ts';
import { openLake } from '@tapeline/lake/lake.ts';
import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import type { InspectedSheet } from '@tapeline/sheets/inspect-sheet.ts';
import type { PreviewMappingInput, SheetInput } from '@tapeline/workflows/preview/activities.ts';
import type { PreviewedRows } from '@tapeline/workflows/preview/preview.ts';
import { withinLimits } from '../job-limits.ts';
import { type CompiledMapping, compileMapping } from '../tape/compile/compile.ts';
import { rowsAtOnce } from '../tape/compile/row-bytes.ts';
import { type MappedPreview, previewRows } from '../tape/compile/run.ts';
import { stageInspectedRows } from './stage-inspected-rows.ts';

export interface PreviewLimits {
  /** Aborts when the caller no longer waits. */
  readonly signal: AbortSignal;
  /** In DuckDB's format for `memory_limit`. */
  readonly memoryLimit: string;
}

const UNCANCELLED: PreviewLimits = { signal: new AbortController().signal, memoryLimit: '1GiB' };

/**
 * Maps the first rows with the rules. Lists headers that the rules read and the sheet lacks; the cells of the rules
 * that need them report an error.
 */
export async function previewMapping(
  sheet: InspectedSheet,
  input: Omit<PreviewMappingInput, keyof SheetInput>,
  limits: PreviewLimits = UNCANCELLED,
): Promise<PreviewedRows> {
  const rules = rulesSchema.safeParse(input.rules);
  if (!rules.success) throw refuseIssues(rules.error.issues, 'The mapping cannot be used; see the flagged rules');
  const headers = sheet.columns.map((column) => column.header);
  const plan = planMapping({ rules: rules.data });
  const { missing } = checkHeaders(plan, headers);
  const lacking = lackingRules(plan, missing);
  const compiled = compileMapping(
    { rules: rules.data },
    { headers: [...headers, ...missing], epoch: sheet.epoch },
    { cutOffDate: input.cutOffDate, primaryCurrency: input.primaryCurrency },
  );
  const preview = await mappedHead(withBlankColumns(sheet, missing), compiled, limits);
  const unclear = unclearCells(sheet, rules.data, input.primaryCurrency);
  const shown = preview.rows.map(({ row, cells }, at) => ({
    row,
    cells: cells.map((cell, index) => {
      const rule = (preview.columns[index]?.rule ?? 0) - 1;
      const header = lacking.get(rule);
      if (header !== undefined) {
        return { value: null, errors: [`the sheet has no column "${header}"`], warning: null };
      }
      return cell.errors.length > 0 ? cell : { ...cell, warning: cell.warning ?? unclear(rule, at) };
    }),
  }));
  const rows = shown.map((row) => ({
    row: row.row,
    cells: row.cells.map(({ value, errors, warning }) => ({
      value,
      error: errors.length > 0 ? errors.join('; ') : null,
      warning,
    })),
    errors: sheet.misfits.has(row.row)
      ? [{ rule: MISFIT_PROBLEM.rule, column: '', reason: MISFIT_PROBLEM.reason }]
      : row.cells.flatMap((cell, index) =>
          cell.errors.map((reason) => ({
            rule: preview.columns[index]?.rule ?? 0,
            column: preview.columns[index]?.originCol ?? '',
            reason,
          })),
        ),
  }));
  const errored = rows.filter((row) => row.errors.length > 0).length;
  return {
    targets: preview.columns.map(({ target, label }) => ({ path: target, label })),
    rows,
    missingHeaders: [...missing],
    assets: rows.length - errored,
    errored,
    warned: rows.filter((row) => row.errors.length === 0 && row.cells.some(({ warning }) => warning)).length,
  };
}

/** Why the cell of a rule in a row of the sheet may be another amount than it is read as, by their indexes. */
function unclearCells(
  sheet: InspectedSheet,
  rules: readonly MappingRule[],
  primaryCurrency: string,
): (rule: number, row: number) => string | null {
  const found = rules.map((rule) => {
    const column = sheet.columns.find(({ header }) => header === rule.originCol)?.index;
    const texts = sheet.rows.flatMap(({ cells }) => {
      const cell = column === undefined ? undefined : cells[column];
      return cell?.tag === CellTag.text ? [cell.value] : [];
    });
    return { column, warnings: unclearFigures(rule, texts, primaryCurrency) };
  });
  return (rule, row) => {
    const { column, warnings } = found[rule] ?? {};
    const cell = column === undefined ? undefined : sheet.rows[row]?.cells[column];
    return cell?.tag === CellTag.text ? (warnings?.get(cell.value) ?? null) : null;
  };
}

/** Adds blank columns for missing headers, so that the results of the other rules can be shown. */
function withBlankColumns(sheet: InspectedSheet, missing: readonly string[]): InspectedSheet {
  if (missing.length === 0) return sheet;
  const blank: InspectedSheet['rows'][number]['cells'][number] = {
    value: '',
    tag: CellTag.blank,
    number: null,
  };
  const blanks = missing.map(() => blank);
  const beyond = Math.max(-1, ...sheet.columns.map(({ sheetColumn }) => sheetColumn)) + 1;
  return {
    ...sheet,
    columns: [
      ...sheet.columns,
      ...missing.map((header, at) => ({
        index: sheet.columns.length + at,
        sheetColumn: beyond + at,
        header,
        kinds: [],
      })),
    ],
    rows: sheet.rows.map((row) => ({ ...row, cells: [...row.cells, ...blanks] })),
  };
}

/** A user is waiting. The limit is below Temporal's timeout, so the preview ends before Temporal would retry it. */
const PREVIEWING = { what: 'The preview', seconds: 25 };
/** Maximum total size of the rows that are mapped at the same time. */
const BYTES_AT_ONCE = 512 * 2 ** 20;

/** Maps the rows of the head in a separate DuckDB that writes nothing to disk. */
async function mappedHead(
  sheet: InspectedSheet,
  compiled: CompiledMapping,
  { signal, memoryLimit }: PreviewLimits,
): Promise<MappedPreview> {
  const longest = sheet.columns.map((_, index) =>
    Math.max(0, ...sheet.rows.map(({ cells }) => Buffer.byteLength(cells[index]?.value ?? ''))),
  );
  const atOnce = rowsAtOnce(
    compiled.rowBytes((index) => longest[index] ?? 0),
    BYTES_AT_ONCE,
  );
  const lake = await openLake({ threads: 1, memoryLimit, spillLimit: 'nothing' });
  try {
    return await withinLimits({ ...PREVIEWING, signal }, (watch) =>
      lake.connected(async (connection) => {
        const unwatch = watch(connection);
        try {
          await stageInspectedRows(connection, sheet, 'staged');
          return await previewRows(connection, compiled, 'staged', sheet.rows.length, atOnce);
        } finally {
          unwatch();
        }
      }),
    );
  } finally {
    lake.close();
  }
}
