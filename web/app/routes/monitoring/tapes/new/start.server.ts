import { currencyOfCompany, getCompany } from '@tapeline/db/operations/companies/companies.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { z } from 'zod';
import { startTapes, type TapeStart } from '../../../../commands/start-tapes.server.ts';
import { quickCompanyOf, quickCompanySchema } from '../../../../components/organizations/quick-company.ts';
import type { Screen } from '../../../../http/screen.server.ts';
import { NEW_COMPANY, SUGGESTED, type TapeForm, type uploadFormSchema } from '../upload-form.schema.ts';
import { isFitting, mappingOfGroups, readProposedRules } from './proposed-rules.ts';

/** Makes the tapes of the form, with the companies and mappings that they need. */
export async function startFromForm(screen: Screen, form: z.output<typeof uploadFormSchema>) {
  const { tapes, calculateBB, exchangeRates, otherAttachments } = form;
  const starts: TapeStart[] = [];
  for (const tape of tapes) {
    const company = companyOf(tape);
    const newMapping = await newMappingOf(screen, tape, company);
    starts.push({
      company,
      newMapping,
      upload: {
        cutOffDate: tape.cutOffDate,
        mainCurrency: tape.mainCurrency,
        // The mapping names the sheet, unless the person chose another one.
        ...(tape.sheetName && !newMapping ? { sheetName: tape.sheetName } : {}),
        ...(tape.mapping && tape.mapping !== SUGGESTED ? { assetsETL: tape.mapping } : {}),
        calculateBB,
        exchangeRates,
        attachments: [{ key: tape.key, name: tape.name }],
        otherAttachments,
        again: false,
        onDoubt: 'ask',
      },
    });
  }
  return startTapes(screen, starts);
}

function companyOf({ companyId, newCompany }: TapeForm): TapeStart['company'] {
  if (companyId !== NEW_COMPANY) return { id: companyId };
  return { create: quickCompanyOf(quickCompanySchema.parse({ newCompany })) };
}

async function newMappingOf(
  screen: Screen,
  tape: TapeForm,
  company: TapeStart['company'],
): Promise<TapeStart['newMapping']> {
  if (tape.mapping !== SUGGESTED) return null;
  const proposed = readProposedRules(tape.proposed);
  if (!proposed) throw new Refusal('badRequest', 'The form lacks its mapping. Reload the page.');
  const currency =
    proposed.primaryCurrency ??
    ('id' in company
      ? currencyOfCompany(await screen.db((session) => getCompany(session, company.id)), 'mainCurrency')
      : quickCompanySchema.parse({ newCompany: tape.newCompany }).newCompany.currency);
  const { mapping } = proposed;
  return {
    body: mappingOfGroups(proposed, new Set(tape.use), currency),
    replaces: mapping && !isFitting(proposed) && 'id' in company ? { id: mapping.id, version: mapping.version } : null,
  };
}
