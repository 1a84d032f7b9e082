import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { negate } from '@tapeline/domain/money/decimal.ts';
import { CHANGE_KINDS } from '@tapeline/domain/pools/changes.ts';
import {
  type CountedBalance,
  type CurrencyRoll,
  POOL_PART_LABELS,
  ROLL_LINE_LABELS,
  ROLL_LINES,
  type RollChange,
} from '@tapeline/domain/pools/roll-forward.ts';
import type { ExportTable } from '@tapeline/lake/exports/export-table.ts';
import { countOfLine, type LineColumn, linesTable, textOfLine } from '@tapeline/lake/exports/lines-table.ts';
import { unprovedExport } from '@tapeline/lake/payment-proof.ts';
import { changedExport, rolledExport } from '@tapeline/lake/roll-forward-export.ts';
import { EXPORT_FORMATS, exportResponse } from '../../../commands/exports.server.ts';
import { openPayments, unprovedOf } from '../../../commands/payment-proof.server.ts';
import { openPair } from '../../../commands/pool-analyses.server.ts';
import { convertedTotal, loanChangesOf, type RolledPair, rollPair } from '../../../commands/roll-forward.server.ts';
import { readScreen, type Screen } from '../../../http/screen.server.ts';
import { paymentChoice } from './forward-view.server.ts';
import { chosen } from './pool-views.server.ts';

const PARTS = ['lines', 'assets', 'changes', 'payments'] as const;

type Line = readonly (string | null)[];

const columnsOf = ({ before, after }: RolledPair): LineColumn[] => [
  textOfLine('currency', 'Currency', 10),
  textOfLine('part', 'Part of the pool', 24),
  textOfLine('line', 'Line', 34),
  countOfLine('before', `Assets ${before.tape.cutOffDate}`),
  countOfLine('after', `Assets ${after.tape.cutOffDate}`),
  // Converted sums have up to twelve decimal places.
  { name: 'balance', label: 'Balance or change', kind: 'amount', type: 'DECIMAL(38,12)' },
];

/** Opening, every change and closing: of the pool and of each of its parts in each currency, and of all together. */
function linesOf(rolled: RolledPair): Line[] {
  const size = (label: string, { count: n, balance }: CountedBalance, side: 'before' | 'after' | 'none'): Line => [
    label,
    side === 'before' ? String(n) : null,
    side === 'after' ? String(n) : null,
    balance,
  ];
  const change = ({ line, before, after, change: amount }: RollChange): Line => [
    ROLL_LINE_LABELS[line],
    String(before),
    String(after),
    amount,
  ];
  const within = (currency: string, part: string, lines: readonly Line[]) =>
    lines.map((line): Line => [currency, part, ...line]);
  const ofCurrency = ({ currency, opening, changes, closing, parts }: CurrencyRoll): Line[] => [
    ...within(currency, 'Whole pool', [
      size('Opening', opening, 'before'),
      ...changes.map(change),
      size('Closing', closing, 'after'),
    ]),
    ...parts.flatMap((part) =>
      within(currency, POOL_PART_LABELS[part.part], [
        size('Opening', part.opening, 'before'),
        ...part.changes.map(change),
        ['Moved in from another part', null, String(part.movedIn.count), part.movedIn.balance],
        ['Moved out to another part', String(part.movedOut.count), null, negate(part.movedOut.balance)],
        size('Closing', part.closing, 'after'),
      ]),
    ),
  ];
  const total = convertedTotal(rolled);
  const amountOnly = (label: string, amount: string): Line => [label, null, null, amount];
  return [
    ...rolled.forward.currencies.flatMap(ofCurrency),
    ...within(total.currency, 'All currencies', [
      amountOnly('Opening', total.opening),
      ...total.changes.map(({ line, change: amount }) => amountOnly(ROLL_LINE_LABELS[line], amount)),
      amountOnly('Exchange rates', total.exchange),
      amountOnly('Closing', total.closing),
    ]),
  ];
}

async function tableOf(screen: Screen, rolled: RolledPair, part: (typeof PARTS)[number]): Promise<ExportTable> {
  const { context, url } = screen;
  const asked = (name: string) => url.searchParams.get(name);
  if (part === 'lines') return linesTable(columnsOf(rolled), linesOf(rolled));
  if (part === 'assets') {
    return rolledExport(context.lake, rolled.tapes, rolled.forward, chosen(asked('line'), ROLL_LINES) ?? undefined);
  }
  if (part === 'payments') return unprovedTable(screen, rolled);
  const changes = await loanChangesOf(context, rolled);
  return changedExport(context.lake, rolled.tapes, changes, chosen(asked('kind'), CHANGE_KINDS) ?? undefined);
}

/** The loans whose balance the payments of the address's file do not explain. */
async function unprovedTable({ context, db, url }: Screen, rolled: RolledPair): Promise<ExportTable> {
  const choice = paymentChoice(url);
  if (!choice) throw new Refusal('badRequest', 'Choose a payment file');
  const { read, problems } = await openPayments(context, db, rolled, choice);
  if (!read) throw new Refusal('badRequest', undefined, { flags: problems });
  const { total } = await unprovedOf(context, rolled, read, { skip: 0, limit: 1 });
  return unprovedExport(rolled.tapes, read.loans, total);
}

const NAMES = {
  lines: { name: 'roll-forward', sheetName: 'Roll-forward' },
  assets: { name: 'roll-forward-assets', sheetName: 'Assets' },
  changes: { name: 'changes', sheetName: 'Changes' },
  payments: { name: 'unproved-loans', sheetName: 'Not proved' },
} as const;

/**
 * The roll-forward since the address's `against` as a file in its `format` (Excel by default): its lines, with
 * `part=assets` every asset and what happened to it, with `part=changes` every change that should not happen,
 * with `part=payments` the loans that the address's payment file does not explain.
 */
export const loader = readScreen('assets/read', async (screen) => {
  const { context, db, params, url } = screen;
  const asked = url.searchParams.get('format') ?? 'xlsx';
  const format = EXPORT_FORMATS.find((known) => known === asked);
  if (!format) throw new Refusal('badRequest', `The format is one of ${EXPORT_FORMATS.join(', ')}`);
  const against = url.searchParams.get('against') || undefined;
  const { before, after } = await openPair(context, db, { loanTapeId: params.id ?? '', against });
  const rolled = before && (await rollPair(context, db, before, after));
  if (!rolled) throw new Refusal('badRequest', 'The tape has no earlier tape that it can be compared with');
  const part = chosen(url.searchParams.get('part'), PARTS) ?? 'lines';
  const { name, sheetName } = NAMES[part];
  const table = await tableOf(screen, rolled, part);
  return exportResponse(screen, table, { format, name: `${name}-${after.tape.cutOffDate}`, sheetName });
});
