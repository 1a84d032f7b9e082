import { headerKey } from '@tapeline/domain/tapes/headers.ts';
import type { KnownBorrower } from '@tapeline/domain/tapes/propose/borrower.ts';
import type { Session } from '../../store.ts';
import { COMPANY_NAME } from '../companies/company-choices.ts';
import { wholeTenantOf } from '../listing/define-lists.ts';

/** Maximum number of companies that a file is compared with. Those whose names have a word of the file come first. */
export const MAX_KNOWN_BORROWERS = 2_000;

/**
 * The visible companies that a file can be of, each with the name of its latest file and the share of its latest
 * mapping's columns that the file has.
 * @param command.words words of the file that can be a company's name, in lower case
 * @param command.headers the file's headers
 */
export const knownBorrowers = (
  session: Session,
  { words, headers }: { words: readonly string[]; headers: readonly string[] },
): Promise<KnownBorrower[]> =>
  session.query<KnownBorrower>(
    `select t.id, ${COMPANY_NAME} as name, latest.name as "latestFile", coalesce(mapped.share, 0)::float as "columnShare"
     from companies t
     left join lateral (
       select attachment ->> 'name' as name, code from loan_tapes
       where company_id = t.id and status <> 'Removed' order by code desc limit 1
     ) latest on true
     left join lateral (
       select (
         select count(*) from unnest(m.extracted_origin_cols_from_loan_tape) header
         where regexp_replace(lower(btrim(header)), '\\s+', ' ', 'g') = any ($1)
       )::float / nullif(cardinality(m.extracted_origin_cols_from_loan_tape), 0) as share
       from (
         select extracted_origin_cols_from_loan_tape from mappings
         where company_id = t.id and status = 'Active' order by code desc limit 1
       ) m
     ) mapped on true
     where t.status <> 'Removed' and ($3::text is null or t.manager_id = $3)
     order by exists (select 1 from unnest($2::text[]) word where strpos(lower(${COMPANY_NAME}), word) > 0) desc,
       latest.code desc nulls last, t.id
     limit ${MAX_KNOWN_BORROWERS}`,
    [[...new Set(headers.map(headerKey))], [...words], wholeTenantOf(session.actor)],
  );
