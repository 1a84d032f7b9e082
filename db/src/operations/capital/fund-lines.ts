import type { Contribution } from '../../entities/capital.ts';
import { asProgram, type Session } from '../../store.ts';
import { BUNDLE } from './notices.ts';

type FundLines = Contribution['fundLines'];

/** SQL of the lines of a part, as its notice lists them. */
const LINES = {
  contributions: 't.purposes',
  distributions: `jsonb_build_array(jsonb_build_object('title', 'Principal', 'amount', t.principal::text)) || t.components`,
} as const;

/** The columns of a line that make it the same one for all investors. */
const SAME = `l.line ->> 'title' as title, coalesce(l.line ->> 'kind', l.line ->> 'actionType') as kind`;

/**
 * Adds up the lines of the whole fund again, which the notices of a draft show on request, after parts of it changed.
 * Plain SQL: the sums are no change of the other parts, so their versions stay.
 * @returns the views with the new sums
 */
export async function withFundLines<View extends { id: string; fundLines?: FundLines | undefined }>(
  session: Session,
  table: keyof typeof LINES,
  views: readonly View[],
): Promise<View[]> {
  const rows = await asProgram(session, () =>
    session.query<{ id: string; lines: FundLines }>(
      `with parts as (
         select t.id, ${BUNDLE} as bundle, coalesce((t.pdf_options ->> 'fundLevel')::boolean, false) as is_shown, ${LINES[table]} as lines
         from ${table} t where t.status <> 'Removed' and ${BUNDLE} in (select ${BUNDLE} from ${table} t where t.id = any ($1))
       ), lines as (
         select parts.id, parts.bundle, l.place, ${SAME}, (l.line ->> 'amount')::numeric as amount
         from parts cross join jsonb_array_elements(parts.lines) with ordinality as l (line, place)
       ), totals as (
         select bundle, place, title, kind, sum(amount)::text as amount from lines group by bundle, place, title, kind
       ), summed as (
         select lines.id, jsonb_agg(jsonb_build_object('title', lines.title, 'amount', totals.amount) order by lines.place) as lines
         from lines join totals on totals.bundle = lines.bundle and totals.place = lines.place and totals.title = lines.title
           and totals.kind is not distinct from lines.kind group by lines.id
       )
       update ${table} set fund_lines = case when parts.is_shown then summed.lines end
       from parts join summed on summed.id = parts.id where ${table}.id = parts.id and ${table}.status = 'Draft'
       returning ${table}.id, ${table}.fund_lines as lines`,
      [views.map(({ id }) => id)],
    ),
  );
  const linesOf = new Map(rows.map(({ id, lines }) => [id, lines]));
  return views.map((view) => (linesOf.has(view.id) ? { ...view, fundLines: linesOf.get(view.id) ?? null } : view));
}
