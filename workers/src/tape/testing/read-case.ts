import type { RuleInput } from '@tapeline/domain/tapes/rule.schema.ts';
import type { RuleSuggestion } from '@tapeline/domain/tapes/suggest/rule-suggestion.ts';
import { suggestMapping } from '@tapeline/domain/tapes/suggest/suggest-mapping.ts';
import { type InspectedSheet, inspectSheetFile } from '@tapeline/sheets/inspect-sheet.ts';
import { previewMapping } from '../../preview/preview-mapping.ts';

/** A small file, what is suggested for it, and its rows as the suggestions that are on map them. */
export interface ReadCase {
  readonly sheet: InspectedSheet;
  readonly suggestions: readonly RuleSuggestion[];
  /** Of each row, the results by target, as shown, or its errors by target. */
  readonly rows: readonly Readonly<Record<string, string | null>>[];
  readonly errored: readonly number[];
}

/** Reads a file as the screens do: its first rows, the suggestions for them, and the rows that these map. */
export async function readCase(path: string, changed?: readonly RuleInput[]): Promise<ReadCase> {
  const sheet = await inspectSheetFile(path);
  const columns = sheet.columns.map((column) => ({
    ...column,
    cells: sheet.rows.map(({ cells }) => cells[column.index]!),
  }));
  const suggestions = suggestMapping({ columns });
  const rules = changed ?? suggestions.filter(({ isOn }) => isOn).map(({ rule }) => rule);
  const mapped = await previewMapping(sheet, { rules, cutOffDate: '2026-10-31', primaryCurrency: 'USD' });
  return {
    sheet,
    suggestions,
    rows: mapped.rows.map(({ cells }) =>
      Object.fromEntries(
        mapped.targets.map(({ path: target }, index) => [target, cells[index]!.error ?? cells[index]!.value]),
      ),
    ),
    errored: mapped.rows.flatMap(({ row, errors }) => (errors.length > 0 ? [row] : [])),
  };
}
