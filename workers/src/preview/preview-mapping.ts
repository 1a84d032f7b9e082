import { openLake } from '@tapeline/db/lake/lake.ts';
import { refuseIssues } from '@tapeline/domain/errors/refusal.ts';
import { checkHeaders } from '@tapeline/domain/tapes/headers.ts';
import { planMapping } from '@tapeline/domain/tapes/mapping-plan.ts';
import { rulesSchema } from '@tapeline/domain/tapes/rule.schema.ts';
import type { PreviewMappingInput, SheetInput } from '@tapeline/workflows/preview/activities.ts';
import type { PreviewedRows } from '@tapeline/workflows/preview/preview.ts';
import type { InspectedSheet } from '../sheets/inspect-sheet.ts';
import { compileMapping } from '../tape/compile/compile.ts';
import { previewRows } from '../tape/compile/run.ts';
import { stageInspectedRows } from './stage-inspected-rows.ts';

/** The first rows as the rules would make them. Headers that the rules read and the sheet lacks are listed, not refused. */
export async function previewMapping(
  sheet: InspectedSheet,
  input: Omit<PreviewMappingInput, keyof SheetInput>,
): Promise<PreviewedRows> {
  const rules = rulesSchema.safeParse(input.rules);
  if (!rules.success) throw refuseIssues(rules.error.issues, 'The mapping cannot be used; see the flagged rules');
  const headers = sheet.columns.map((column) => column.header);
  const { missing } = checkHeaders(planMapping({ rules: rules.data }), headers);
  if (missing.length > 0) return { targets: [], rows: [], missingHeaders: [...missing], assets: 0, errored: 0 };
  const compiled = compileMapping(
    { rules: rules.data },
    { headers, epoch: sheet.epoch },
    { cutOffDate: input.cutOffDate, primaryCurrency: input.primaryCurrency },
  );
  const lake = await openLake({ threads: 1 });
  try {
    const preview = await lake.connected(async (connection) => {
      await stageInspectedRows(connection, sheet, 'staged');
      return previewRows(connection, compiled, 'staged');
    });
    const rows = preview.rows.map((row) => ({
      row: row.row,
      cells: row.cells.map(({ value, errors }) => ({ value, error: errors.length > 0 ? errors.join('; ') : null })),
      errors: row.cells.flatMap((cell, index) =>
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
      missingHeaders: [],
      assets: rows.length - errored,
      errored,
    };
  } finally {
    lake.close();
  }
}
