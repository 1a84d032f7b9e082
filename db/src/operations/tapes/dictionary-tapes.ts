import type { DictionaryTape, MappingVersion } from '@tapeline/domain/tapes/data-dictionary.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { getCompany } from '../companies/companies.ts';
import { getMapping, latestMappingOf } from '../mappings/mappings.ts';
import { requirePermission } from '../permission.ts';
import { generationPrefix } from './tapes.ts';

/** Twenty years of monthly tapes. */
export const MAX_DICTIONARY_TAPES = 240;

/** A published tape, and where its published attempt stored its objects. */
export interface StoredDictionaryTape extends DictionaryTape {
  readonly objectPrefix: string;
}

/** One mapping of a company: its version in use, and the published tapes that any version of it has mapped. */
export interface DictionaryMapping {
  readonly inUseId: string;
  /** Last tape first. */
  readonly tapes: readonly StoredDictionaryTape[];
}

export interface DictionarySources {
  readonly company: { readonly id: string; readonly name: string };
  /** The one of the last tape first; one that has no tape yet is the last. */
  readonly mappings: readonly DictionaryMapping[];
  /** Visible published tapes, of which at most `MAX_DICTIONARY_TAPES` are listed. */
  readonly allTapes: number;
}

interface FoundTape extends DictionaryTape {
  generationId: string;
  familyId: string;
  all: number;
}

/**
 * The company's mappings with the last published tapes of each, as far as the actor sees them: a tape whose mapping is
 * hidden is left out.
 * @throws Refusal forbidden without the permissions for mappings and tapes; notFound
 */
export async function dictionarySources(session: Session, companyId: string): Promise<DictionarySources> {
  requirePermission(session, 'assets/ETL/read');
  requirePermission(session, 'assets/read');
  const company = await getCompany(session, companyId);
  const found = await session.query<FoundTape>(
    `select t.id, t.attachment ->> 'name' as name, t.cut_off_date::text as "cutOffDate", t.mapping_id as "mappingId",
       t.generation_id as "generationId", m.family_id as "familyId", count(*) over ()::int as all
     from loan_tapes t join mappings m on m.id = t.mapping_id
     where t.company_id = $1 and t.status = 'Active' and t.generation_id is not null and m.status <> 'Removed'
     order by t.cut_off_date desc, t.published_at desc nulls last, t.id desc limit $2`,
    [companyId, MAX_DICTIONARY_TAPES],
  );
  const byFamily = Map.groupBy(found, ({ familyId }) => familyId);
  const latest = await latestMappingOf(session, companyId);
  if (latest && !byFamily.has(latest.familyId)) byFamily.set(latest.familyId, []);
  const inUse = await versionsInUse(session, [...byFamily.keys()]);
  return {
    company: { id: company.id, name: company.entity.name },
    allTapes: found[0]?.all ?? 0,
    mappings: [...byFamily].flatMap(([familyId, tapes]) => {
      const inUseId = inUse.get(familyId);
      if (!inUseId) return [];
      return {
        inUseId,
        tapes: tapes.map(({ id, name, cutOffDate, mappingId, generationId }) => ({
          id,
          name,
          cutOffDate,
          mappingId,
          objectPrefix: generationPrefix(id, generationId),
        })),
      };
    }),
  };
}

async function versionsInUse(session: ReadSession, familyIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await session.query<{ family: string; id: string }>(
    `select distinct on (family_id) family_id as family, id from mappings
     where family_id = any ($1) and status <> 'Removed' order by family_id, mapping_version desc`,
    [familyIds],
  );
  return new Map(rows.map(({ family, id }) => [family, id]));
}

/** A version of a mapping as the dictionary describes it. @throws Refusal notFound */
export async function dictionaryVersion(session: Session, id: string): Promise<MappingVersion> {
  const { mappingVersion, loanTapeSheetName, rules, extractedOriginColsFromLoanTape } = await getMapping(session, id);
  return { id, version: mappingVersion, sheetName: loanTapeSheetName, rules, extractedOriginColsFromLoanTape };
}
