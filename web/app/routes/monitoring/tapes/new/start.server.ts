import { getCompany } from '@tapeline/db/operations/companies/companies.ts';
import type { z } from 'zod';
import { startTapes, type TapeStart } from '../../../../commands/start-tapes.server.ts';
import { quickCompanyOf, quickCompanySchema } from '../../../../components/organizations/quick-company.ts';
import type { Screen } from '../../../../http/screen.server.ts';
import { NEW_COMPANY, SUGGESTED, type TapeForm, type uploadFormSchema } from '../upload-form.schema.ts';
import { readKeptLatest } from './kept-latest.ts';
import { readProposedRules, suggestedMapping } from './proposed-rules.ts';

/** Creates the tapes of the form, with the companies and mappings that they need. */
export async function startFromForm(screen: Screen, form: z.output<typeof uploadFormSchema>) {
  const { tapes, calculateBB, exchangeRates, otherAttachments } = form;
  const starts: TapeStart[] = [];
  for (const tape of tapes) {
    const company = companyOf(tape);
    const latest = readKeptLatest(tape.latest);
    const newMapping = await newMappingOf(screen, tape, company);
    starts.push({
      company,
      newMapping,
      upload: {
        cutOffDate: tape.cutOffDate,
        mainCurrency: tape.mainCurrency,
        // A new mapping names the sheet itself.
        ...(tape.sheetName && !newMapping ? { sheetName: tape.sheetName } : {}),
        ...(tape.mapping && tape.mapping !== SUGGESTED ? { assetsETL: tape.mapping } : {}),
        calculateBB,
        exchangeRates,
        attachments: [{ key: tape.key, name: tape.name }],
        // The file that the rows are from stays with the tape.
        otherAttachments: [...otherAttachments, ...(latest ? [latest.source] : [])],
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
  { mapping, proposed, use, newCompany }: TapeForm,
  company: TapeStart['company'],
): Promise<TapeStart['newMapping']> {
  if (mapping !== SUGGESTED) return null;
  const currency =
    'id' in company
      ? ((await screen.db((session) => getCompany(session, company.id))).entity.business?.currency ?? null)
      : quickCompanySchema.parse({ newCompany }).newCompany.currency;
  const current = readProposedRules(proposed)?.mapping;
  return {
    body: suggestedMapping(proposed, new Set(use), currency),
    replaces:
      current && current.lacking.length > 0 && 'id' in company ? { id: current.id, version: current.version } : null,
  };
}
