import { type CompanyView, getCompany } from '@tapeline/db/operations/companies/companies.ts';
import { resolveFile } from '@tapeline/db/operations/files/files.ts';
import { mappingForUpload } from '@tapeline/db/operations/mappings/mappings.ts';
import type { Session } from '@tapeline/db/store.ts';
import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { currencySchema } from '@tapeline/domain/money/amount.schema.ts';
import { checkTape } from '../../../../commands/checks.server.ts';
import type { Screen } from '../../../../http/screen.server.ts';
import { checkedOr } from '../../mappings/draft-check.server.ts';
import type { DraftCheck } from '../../mappings/draft-check.ts';
import { NEW_COMPANY, SUGGESTED } from '../upload-form.schema.ts';
import { suggestedMapping } from './proposed-rules.ts';

/** One file of the form, which may not be complete. */
export interface UncheckedTape {
  readonly fileId: string;
  readonly companyId?: string | undefined;
  readonly newCompany?: { readonly currency?: unknown } | undefined;
  readonly cutOffDate?: string | undefined;
  readonly sheetName?: string | undefined;
  readonly mapping?: string | undefined;
  readonly proposed?: string | undefined;
  readonly use?: string | string[] | undefined;
}

/** Checks every row of a file with the mapping that the form chooses, before a tape is made of it. */
export const checkInForm = (screen: Screen, tape: UncheckedTape): Promise<DraftCheck> =>
  checkedOr(tape.fileId, [], async () => {
    const cutOffDate = calendarDateSchema.safeParse(tape.cutOffDate);
    if (!cutOffDate.success) throw new Refusal('badRequest', 'Enter the cut-off date to check all rows.');
    const { fileId, companyId, mapping } = await screen.db(async (session) => {
      // The worker reads the company's earlier tape without asking who may see it.
      const company =
        tape.companyId && tape.companyId !== NEW_COMPANY ? await getCompany(session, tape.companyId) : null;
      const file = await resolveFile(session, { bucket: 'loanTapes', keyOrId: tape.fileId });
      return { fileId: file.id, companyId: company?.id ?? null, mapping: await mappingOf(session, tape, company) };
    });
    return checkTape(
      screen,
      { fileId, cutOffDate: cutOffDate.data, companyId, ...mapping },
      { signal: screen.request.signal, place: `check of ${fileId}` },
    );
  });

async function mappingOf(session: Session, tape: UncheckedTape, company: CompanyView | null) {
  const sheet = (ofMapping: string) => ({
    sheetName: tape.sheetName || ofMapping,
    isMappingsSheet: !tape.sheetName,
  });
  if (tape.mapping === SUGGESTED) {
    const currency = company
      ? (company.entity.business?.currency ?? null)
      : (currencySchema.safeParse(tape.newCompany?.currency).data ?? null);
    const chosen = new Set([tape.use ?? []].flat().map(Number));
    const { rules, loanTapeSheetName, primaryCurrency } = suggestedMapping(tape.proposed, chosen, currency);
    return { rules, primaryCurrency, ...sheet(loanTapeSheetName) };
  }
  if (!company) throw new Refusal('badRequest', 'Choose a borrower to check all rows.');
  const stored = await mappingForUpload(session, { companyId: company.id, mappingId: tape.mapping || null });
  const { rules, primaryCurrency, loanTapeSheetName } = stored;
  return { rules, primaryCurrency, ...sheet(loanTapeSheetName) };
}
