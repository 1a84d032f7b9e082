import type { AssetStatistics, TapeCounts } from '@tapeline/domain/tapes/tape.schema.ts';
import type { TapeQuestion } from '@tapeline/domain/tapes/tape-questions.schema.ts';
import type { Session } from '../../store.ts';
import { COMPANY_NAME } from '../companies/company-choices.ts';

/** The processing state of a tape, from two columns of its row. */
interface TapeStanding {
  schedulerStatus: 'Processing' | 'Completed';
  generationId: string | null;
  /** Open questions. */
  questions: TapeQuestion[];
}

export interface CompanyTapes {
  id: string;
  name: string;
  tapes: number;
  latest: TapeStanding & { id: string; name: string; cutOffDate: string };
  /** Counts of the latest published tape; null if none is published. */
  counts: TapeCounts | null;
}

/** A latest tape that failed, or whose rows could not all be read. */
export interface TapeWithErrors extends TapeStanding {
  id: string;
  name: string;
  companyId: string;
  failure: string | null;
  counts: TapeCounts | null;
}

const NEWEST_FIRST = 'cut_off_date desc, code desc';

/** A page of the companies that have tapes, by name, and the number of such companies. */
export async function listTapesByCompany(
  session: Session,
  command: { limit: number },
): Promise<{ companies: CompanyTapes[]; total: number }> {
  const [counted] = await session.query<{ total: number }>(
    `select count(distinct company_id)::int as total from loan_tapes where status <> 'Removed'`,
  );
  const companies = await session.query<CompanyTapes>(
    `select t.id, ${COMPANY_NAME} as name, own.tapes, latest.tape as latest, published.counts
     from (
       select company_id, count(*)::int as tapes from loan_tapes where status <> 'Removed' group by company_id
     ) own join companies t on t.id = own.company_id
     cross join lateral (
       select json_build_object('id', id, 'name', attachment ->> 'name', 'cutOffDate', cut_off_date::text,
         'schedulerStatus', scheduler_status, 'generationId', generation_id, 'questions', questions) as tape
       from loan_tapes where company_id = t.id and status <> 'Removed' order by ${NEWEST_FIRST} limit 1
     ) latest
     left join lateral (
       select counts from loan_tapes
       where company_id = t.id and status <> 'Removed' and generation_id is not null order by ${NEWEST_FIRST} limit 1
     ) published on true
     order by ${COMPANY_NAME} collate "C", t.id limit $1`,
    [command.limit],
  );
  return { companies, total: counted?.total ?? 0 };
}

/**
 * The companies' latest tapes that failed or have errored rows, with totals. Errors of older tapes are omitted: they
 * were shown when that tape was the latest.
 */
export async function listLatestTapesWithErrors(
  session: Session,
  command: { limit: number },
): Promise<{ tapes: TapeWithErrors[]; total: number; erroredRows: number }> {
  const latest = `
    with latest as (
      select distinct on (company_id) id, company_id, attachment ->> 'name' as name, scheduler_status, generation_id, questions, failure, counts,
        coalesce((counts ->> 'errored')::bigint, 0) as errored
      from loan_tapes where status <> 'Removed' order by company_id, ${NEWEST_FIRST}
    ), wrong as (
      select * from latest where errored > 0 or (scheduler_status <> 'Processing' and generation_id is null)
    )`;
  const [counted] = await session.query<{ total: number; errored: string }>(
    `${latest} select count(*)::int as total, coalesce(sum(errored), 0)::text as errored from wrong`,
  );
  const tapes = await session.query<TapeWithErrors>(
    `${latest} select id, name, company_id as "companyId", scheduler_status as "schedulerStatus", generation_id as "generationId", questions, failure, counts
     from wrong order by (generation_id is null) desc, errored desc, id limit $1`,
    [command.limit],
  );
  return { tapes, total: counted?.total ?? 0, erroredRows: Number(counted?.errored ?? 0) };
}

/**
 * The company whose pool a chart shows: the requested one if it has a published pool, otherwise the one with the most
 * tapes. Null if no company has a published pool.
 */
export async function companyWithPool(
  session: Session,
  command: { asked: string | null },
): Promise<{ id: string; name: string } | null> {
  const [found] = await session.query<{ id: string; name: string }>(
    `select t.id, ${COMPANY_NAME} as name from companies t join (
       select company_id, count(*) as tapes from loan_tapes where status <> 'Removed'
       group by company_id having bool_or(statistics is not null)
     ) own on own.company_id = t.id
     order by (t.id = $1) desc nulls last, own.tapes desc, ${COMPANY_NAME} collate "C", t.id limit 1`,
    [command.asked],
  );
  return found ?? null;
}

/** The statistics of the latest tape for each of a company's latest cut-off dates, latest date first. */
export const poolsByCutOffDate = (
  session: Session,
  command: { companyId: string; limit: number },
): Promise<{ cutOffDate: string; statistics: AssetStatistics }[]> =>
  session.query(
    `select distinct on (cut_off_date) cut_off_date::text as "cutOffDate", statistics
     from loan_tapes where company_id = $1 and status <> 'Removed' and statistics is not null
     order by ${NEWEST_FIRST} limit $2`,
    [command.companyId, command.limit],
  );
