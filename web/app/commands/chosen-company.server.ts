import { type CompanyChoices, companyChoices } from '@tapeline/db/operations/companies/company-choices.ts';
import type { Session } from '@tapeline/db/store.ts';

/** The borrower that the address of a page names, or the only one there is; null until one is chosen. */
export async function chosenCompany(
  session: Session,
  { searchParams }: URL,
): Promise<{ picker: CompanyChoices; company: { id: string; name: string } | null }> {
  const asked = searchParams.get('company');
  const picker = await companyChoices(session, { search: searchParams.get('find'), chosen: asked });
  const only = picker.total === 1 ? picker.choices[0] : undefined;
  return { picker, company: picker.choices.find(({ id }) => id === asked) ?? only ?? null };
}
