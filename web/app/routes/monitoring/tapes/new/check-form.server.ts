import { currencyOfCompany, getCompany } from '@tapeline/db/operations/companies/companies.ts';
import { resolveFile } from '@tapeline/db/operations/files/files.ts';
import { mappingForUpload } from '@tapeline/db/operations/mappings/mappings.ts';
import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { currencySchema } from '@tapeline/domain/money/amount.schema.ts';
import { checkTape } from '../../../../commands/checks.server.ts';
import type { Screen } from '../../../../http/screen.server.ts';
import { checkedOr } from '../../mappings/draft-check.server.ts';
import type { DraftCheck } from '../../mappings/draft-check.ts';
import { NEW_COMPANY, SUGGESTED } from '../upload-form.schema.ts';
import { mappingOfGroups, readProposedRules } from './proposed-rules.ts';

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
    const companyId = tape.companyId && tape.companyId !== NEW_COMPANY ? tape.companyId : null;
    const file = await screen.db((session) => resolveFile(session, { bucket: 'loanTapes', keyOrId: tape.fileId }));
    const mapping = await mappingOf(screen, tape, companyId);
    return checkTape(
      screen,
      { fileId: file.id, cutOffDate: cutOffDate.data, companyId, ...mapping },
      { signal: screen.request.signal, place: `check of ${file.id}` },
    );
  });

async function mappingOf(screen: Screen, tape: UncheckedTape, companyId: string | null) {
  const sheet = (ofMapping: string) => ({
    sheetName: tape.sheetName || ofMapping,
    isMappingsSheet: !tape.sheetName,
  });
  if (tape.mapping === SUGGESTED) {
    const proposed = readProposedRules(tape.proposed);
    if (!proposed) throw new Refusal('badRequest', 'The form lacks its mapping. Reload the page.');
    const primaryCurrency = proposed.primaryCurrency ?? (await currencyOf(screen, tape, companyId));
    const chosen = new Set([tape.use ?? []].flat().map(Number));
    const { rules, loanTapeSheetName } = mappingOfGroups(proposed, chosen, primaryCurrency);
    return { rules, primaryCurrency, ...sheet(loanTapeSheetName) };
  }
  if (companyId === null) throw new Refusal('badRequest', 'Choose a company to check all rows.');
  const mappingId = tape.mapping || null;
  const stored = await screen.db((session) => mappingForUpload(session, { companyId, mappingId }));
  const { rules, primaryCurrency, loanTapeSheetName } = stored;
  return { rules, primaryCurrency, ...sheet(loanTapeSheetName) };
}

async function currencyOf(screen: Screen, { newCompany }: UncheckedTape, companyId: string | null): Promise<string> {
  if (companyId !== null) {
    return screen.db(async (session) => currencyOfCompany(await getCompany(session, companyId), 'mainCurrency'));
  }
  const currency = currencySchema.safeParse(newCompany?.currency);
  if (currency.success) return currency.data;
  throw new Refusal('badRequest', 'Choose the currency of the company to check all rows.');
}
