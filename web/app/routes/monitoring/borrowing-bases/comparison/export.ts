import { ASSET_CAUSES, CAUSE_LABELS, CAUSES } from '@tapeline/domain/borrowing-base/causes/causes.ts';
import { figuresOfLine } from '@tapeline/domain/borrowing-base/causes/explain-difference.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import type { ExportTable } from '@tapeline/lake/exports/export-table.ts';
import { amountOfLine, linesTable, textOfLine } from '@tapeline/lake/exports/lines-table.ts';
import {
  comparedAssetsTable,
  type OpenComparison,
  openComparedAssets,
  openComparison,
} from '../../../../commands/base-comparison.server.ts';
import { exportResponse } from '../../../../commands/exports.server.ts';
import { readScreen, type Screen } from '../../../../http/screen.server.ts';
import { readChoice } from './comparison-page.server.ts';

const FORMATS = ['xlsx', 'csv'] as const;
const PARTS = ['lines', 'assets'] as const;

function lines({ earlier, later, comparison }: OpenComparison): ExportTable {
  const { currency, lines: all } = comparison.difference;
  return linesTable(
    [
      textOfLine('line', 'Line', 36),
      textOfLine('kind', 'Kind', 10),
      amountOfLine('earlier', `${earlier.cutOffDate} (${currency})`),
      amountOfLine('later', `${later.cutOffDate} (${currency})`),
      amountOfLine('difference', 'Difference'),
      ...CAUSES.map((cause) => amountOfLine(cause, CAUSE_LABELS[cause])),
      amountOfLine('notExplained', 'Not explained'),
    ],
    all.map((line) => [line.label, line.kind, ...figuresOfLine(line)]),
  );
}

async function assets(screen: Screen, comparison: OpenComparison): Promise<ExportTable> {
  if (!can(screen.actor, 'assets/read')) throw new Refusal('forbidden');
  const asked = screen.url.searchParams.get('cause');
  const cause = ASSET_CAUSES.find((one) => one === asked) ?? null;
  return comparedAssetsTable(comparison, await openComparedAssets(screen, screen.db, comparison), cause);
}

/**
 * The comparison as a file in the address's `format`: every line by cause, or with `part=assets` the loans behind the
 * address's `cause`, or behind all causes.
 */
export const loader = readScreen('borrowingBase/read', async (screen) => {
  const asked = (name: string) => screen.url.searchParams.get(name);
  const format = FORMATS.find((one) => one === (asked('format') ?? 'xlsx'));
  if (!format) throw new Refusal('badRequest', `The format is one of ${FORMATS.join(', ')}`);
  const { id, against } = await readChoice(screen);
  if (against === null) throw new Refusal('badRequest', 'There is no other certificate to compare with');
  const comparison = await openComparison(screen, screen.db, [against, id]);
  const part = PARTS.find((one) => one === asked('part')) ?? 'lines';
  const table = part === 'lines' ? lines(comparison) : await assets(screen, comparison);
  const name = `comparison-${comparison.earlier.cutOffDate}-${comparison.later.cutOffDate}`;
  return part === 'lines'
    ? exportResponse(screen, table, { format, name, sheetName: 'Comparison' })
    : exportResponse(screen, table, { format, name: `${name}-loans`, sheetName: 'Loans' });
});
