import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { LoanMonthColumns } from '@tapeline/domain/tapes/latest-rows/latest-rows.schema.ts';
import { keepLatestRows } from '../../../../commands/latest-rows.server.ts';
import { proposeTapes } from '../../../../commands/tape-proposals.server.ts';
import type { Screen } from '../../../../http/screen.server.ts';
import { readUploadChoices } from '../upload-choices.server.ts';
import { NEW_COMPANY, SUGGESTED } from '../upload-form.schema.ts';
import type { UncheckedTape } from './check-form.server.ts';
import type { KeptLatest } from './kept-latest.ts';
import { type ProposedColumn, readProposedRules } from './proposed-rules.ts';
import { type FilledTape, filledIn } from './tape-values.server.ts';

/**
 * The fields of a new file with the latest row of each loan of a file of the form. Rows after the entered cut-off date are
 * left out; if none is entered, the latest month is the cut-off date.
 * @throws Refusal as `keepLatestRows`
 */
export async function keepLatestInForm(
  screen: Screen,
  tape: UncheckedTape & { readonly latest?: string | undefined },
  { idColumn, monthColumn }: LoanMonthColumns,
): Promise<FilledTape> {
  const upTo = calendarDateSchema.safeParse(tape.cutOffDate).data ?? null;
  const asked = { keyOrId: tape.fileId, sheetName: tape.sheetName || null, idColumn, monthColumn, upTo };
  const { id, attachment, source, counts, notices } = await keepLatestRows(screen, asked, screen.request.signal);
  const [proposal] = await proposeTapes(screen.context, screen.actor, [
    {
      fileId: id,
      companyId: tape.companyId === NEW_COMPANY ? null : tape.companyId || undefined,
      cutOffDate: upTo ?? counts.latestMonth.date,
    },
  ]);
  if (!proposal || 'problem' in proposal) throw new Refusal('badRequest', proposal?.problem ?? 'The file was removed');
  const latest: KeptLatest = {
    idColumn,
    monthColumn,
    source: { key: source.key, name: source.name },
    counts,
    notices,
  };
  const filled = filledIn(proposal, await readUploadChoices(screen));
  const hints = upTo ? filled.hints : { ...filled.hints, cutOffDate: `From the latest “${monthColumn}”` };
  return {
    ...filled,
    key: attachment.key,
    mapping: tape.mapping && tape.mapping !== SUGGESTED ? tape.mapping : filled.mapping,
    use: keptChoices(tape, filled),
    hints,
    latest: JSON.stringify(latest),
  };
}

/** The suggested columns of the new file, with what the person chose otherwise than it was suggested before. */
function keptChoices(before: Pick<UncheckedTape, 'proposed' | 'use'>, { proposed }: FilledTape): string[] {
  const nameOf = ({ rule }: ProposedColumn) => JSON.stringify([rule.originCol, rule.targetCol]);
  const used = new Set([before.use ?? []].flat());
  const changed = new Map(
    (readProposedRules(before.proposed)?.columns ?? []).flatMap((column, index) =>
      used.has(String(index)) === column.isOn ? [] : [[nameOf(column), !column.isOn] as const],
    ),
  );
  return (readProposedRules(proposed)?.columns ?? []).flatMap((column, index) =>
    (changed.get(nameOf(column)) ?? column.isOn) ? [String(index)] : [],
  );
}
