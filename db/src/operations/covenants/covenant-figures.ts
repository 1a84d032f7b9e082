import { type CertificateFigures, certificateFigure } from '@tapeline/domain/covenants/certificate-figures.ts';
import type { FiguresOfPeriods, SourcedFigure } from '@tapeline/domain/covenants/test-covenant.ts';
import type { CalendarDate } from '@tapeline/domain/dates/calendar-day.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { ReadSession } from '../../read-session.ts';

/** A facility figure that was reviewed. */
export interface FigureRow {
  id: string;
  title: string;
  on: CalendarDate;
  value: DecimalText;
  currency: string | null;
}

interface BaseRow extends CertificateFigures {
  id: string;
  noteId: string;
  on: CalendarDate;
}

/** The figures of a borrower: those that were reviewed, and those of its certificates. */
export interface KnownFigures {
  /** What tests of a note read. In a period, the latest figure of the name counts; a certificate's name comes first. */
  readonly of: (noteId: string) => FiguresOfPeriods;
}

/** The days after `after`, to `to`, and the names of figures in any case. */
interface Window {
  readonly after: CalendarDate;
  readonly to: CalendarDate;
  readonly names: readonly string[];
}

const figuresIn = (companyId: string, { after, to, names }: Window) => ({
  sql: `select id, title, date::text as "on", value::text as value, currency from facility_figures
    where company_id = $1 and status = 'Reviewed' and date > $2 and date <= $3 and lower(title) = any ($4)
    order by date desc, code desc`,
  values: [companyId, after, to, names.map((name) => name.toLowerCase())],
});

/** The reviewed figures of a borrower with these names, the latest first. */
export function reviewedFigures(session: ReadSession, companyId: string, window: Window): Promise<FigureRow[]> {
  const { sql, values } = figuresIn(companyId, window);
  return session.query<FigureRow>(sql, values);
}

/**
 * Reads the figures of a borrower between two days, which tests are made of.
 * @param window with the names that the tests read
 */
export async function knownFigures(session: ReadSession, companyId: string, window: Window): Promise<KnownFigures> {
  const [figures = [], bases = []] = await session.queries<[FigureRow[], BaseRow[]]>([
    figuresIn(companyId, window),
    {
      sql: `select id, note_id as "noteId", cut_off_date::text as "on", result -> 'totals' as totals, pool_figures as "poolFigures"
        from borrowing_bases
        where company_id = $1 and status = 'Active' and cut_off_date > $2 and cut_off_date <= $3 and result ? 'totals'
        order by cut_off_date desc, code desc`,
      values: [companyId, window.after, window.to],
    },
  ]);
  const byName = Map.groupBy(figures, ({ title }) => title.toLowerCase());
  const byNote = Map.groupBy(bases, ({ noteId }) => noteId);
  return {
    of: (noteId) => (name, period) => {
      const isWithin = ({ on }: { on: CalendarDate }) => on > period.after && on <= period.to;
      const base = byNote.get(noteId)?.find(isWithin);
      const ofBase = base ? certificateFigure(base, name) : null;
      if (base && ofBase) return { ...ofBase, on: base.on, source: { resource: 'borrowingBases', id: base.id } };
      const figure = byName.get(name.toLowerCase())?.find(isWithin);
      return figure ? entered(figure) : null;
    },
  };
}

const entered = ({ id, on, value, currency }: FigureRow): SourcedFigure => ({
  value,
  currency,
  on,
  source: { resource: 'facilityFigures', id },
});
