import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { readScreen } from '../../../http/screen.server.ts';
import { readContract } from './contract-page.server.ts';
import { LONGEST_SEARCH, readFieldValues } from './field-values.server.ts';

/** The values of `?field=` on the contract's tape (`?tape=`, the latest by default), narrowed by `?search=`. */
export const loader = readScreen('transactions/read', async (screen) => {
  const { db, params, url } = screen;
  const search = url.searchParams.get('search') ?? '';
  if (search.length > LONGEST_SEARCH) {
    throw new Refusal('badRequest', undefined, { flags: { search: `is longer than ${LONGEST_SEARCH} characters` } });
  }
  const page = await db((session) => readContract(session, params.id ?? '', url.searchParams));
  const field = page.fields.offered.find(({ path }) => path === url.searchParams.get('field'));
  if (!field) throw new Refusal('badRequest', undefined, { flags: { field: 'is not a field of the mapping' } });
  return { values: await readFieldValues(screen, page.tape?.id ?? null, field, search) };
});
