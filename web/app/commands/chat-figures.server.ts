import {
  type SelectionFigures,
  selectionFigures,
  selectionPerformance,
} from '@tapeline/db/operations/capital/figures.ts';
import type { ChatAnswer } from '@tapeline/db/operations/chats/chats.ts';
import { listNoteUtilization } from '@tapeline/db/operations/transactions/note-utilization.ts';
import type { Session } from '@tapeline/db/store.ts';
import { type CalendarDate, formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { NoteUtilization } from '@tapeline/domain/facilities/utilization.ts';
import type { FundFigureQuery } from '@tapeline/domain/funds/fund.schema.ts';
import { type DecimalText, subtract } from '@tapeline/domain/money/decimal.ts';
import { formatFigure } from '@tapeline/domain/money/format-figure.ts';
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import { can, isOutsider, type UserActor } from '@tapeline/domain/people/actor.ts';
import { addTime } from '@tapeline/domain/questions/dates.ts';
import {
  type CapitalFigure,
  FIGURE_LABELS,
  type FigureReading,
  readFigureQuestion,
} from '@tapeline/domain/questions/figures.ts';
import type { Names } from '@tapeline/domain/questions/subjects.ts';
import { shownReturn } from '@tapeline/domain/returns/shown-return.ts';
import { paths } from '../paths.ts';

/** Notes that one answer lists. */
const MAX_NOTES = 20;

type Figure = NonNullable<ChatAnswer['figures']>[number];
/** A figure as it is known, with what has to be said about it. */
type Known = Pick<Figure, 'label' | 'value' | 'unit'> & { readonly about?: string };

/**
 * Answers a question for one figure, such as an availability or a NAV, under the actor's own visibility.
 * @returns null if the question is for none that the actor may read
 */
export async function answerFigure(
  session: Session,
  actor: UserActor,
  { text, names, today }: { text: string; names: Names; today: CalendarDate },
): Promise<ChatAnswer | null> {
  const reading = readFigureQuestion(text, {
    names,
    today,
    isManager: !isOutsider(actor.type),
    sees: { facilities: can(actor, 'transactions/read'), capital: can(actor, 'funds/read') },
  });
  if (!reading) return null;
  if (reading.kind === 'asks') return { text: reading.text, choices: [...reading.choices] };
  return reading.kind === 'facility'
    ? answerOfFacilities(session, actor, reading, { names, today })
    : answerOfCapital(session, actor, reading, { names, today });
}

interface Asked {
  readonly names: Names;
  readonly today: CalendarDate;
}

const titleOf = (names: Names, kind: string, id: string): string =>
  names[kind]?.find(({ value }) => value === id)?.words[0] ?? 'Unnamed';

const lineOf = ({ label, of, value, unit, date }: Figure, about = ''): string => {
  const isMoney = unit !== undefined && unit !== '%' && unit !== 'x';
  const said =
    value === null
      ? 'not known'
      : unit === undefined
        ? formatCalendarDate(value)
        : isMoney
          ? `${formatFigure(value, minorUnitDigits(unit))} ${unit}`
          : `${formatFigure(value, 2)}${unit}`;
  const as = unit === undefined && value !== null ? '' : `, ${formatCalendarDate(date)}`;
  return `${label} of ${of}: ${said}${as}.${about ? ` ${about}` : ''}`;
};

async function answerOfFacilities(
  session: Session,
  actor: UserActor,
  { figure, companies, transactions }: Extract<FigureReading, { kind: 'facility' }>,
  { names, today }: Asked,
): Promise<ChatAnswer> {
  const chosen = [
    ...(companies.length > 0 ? [{ company: { in: companies } }] : []),
    ...(transactions.length > 0 ? [{ transaction: { in: transactions } }] : []),
  ];
  const withBases = can(actor, 'borrowingBase/read');
  const { documents, total } = await listNoteUtilization(
    session,
    { ...(chosen.length > 0 ? { filter: { $or: chosen } } : {}), limit: MAX_NOTES },
    { withBases },
  );
  if (documents.length === 0) return { text: 'You can see no facility of that name with a note.' };
  const maturities = figure === 'maturity' ? await maturitiesOf(session, documents) : new Map<string, string | null>();
  const found = documents.map((note): { figure: Figure; about: string } => {
    const known: Omit<Known, 'label'> =
      figure === 'maturity'
        ? { value: maturities.get(note.noteId) ?? null }
        : figure === 'utilization'
          ? { value: note.utilizationPercent === null ? null : String(note.utilizationPercent), unit: '%' }
          : { value: note[figure]?.sum ?? null, unit: note[figure]?.currency ?? note.mainCurrency ?? '' };
    const isOfBase = figure === 'availability' || figure === 'netBB';
    return {
      figure: {
        label: FIGURE_LABELS[figure],
        of: `${titleOf(names, 'transaction', note.transaction)}, ${note.noteTitle}`,
        // A net borrowing base is what it was at its cut-off date.
        date: figure === 'netBB' && note.cutOffDate ? note.cutOffDate : today,
        ...known,
      },
      about: isOfBase ? aboutBase(note, withBases) : '',
    };
  });
  const more = total > documents.length ? [`The first ${documents.length} of ${total} notes are listed.`] : [];
  return {
    text: [...found.map((one) => lineOf(one.figure, one.about)), ...more].join('\n'),
    figures: found.map((one) => one.figure),
    links: documents.map(({ transaction, noteId, noteTitle }) => ({
      title: `${titleOf(names, 'transaction', transaction)}, ${noteTitle}`,
      path: paths.transaction(transaction, { note: noteId }),
    })),
  };
}

function aboutBase({ cutOffDate }: NoteUtilization, withBases: boolean): string {
  if (!withBases) return 'You don’t have permission to see borrowing bases.';
  return cutOffDate
    ? `The latest borrowing base is of ${formatCalendarDate(cutOffDate)}.`
    : 'No borrowing base is calculated yet.';
}

/** The last maturity of the tranches of each note. */
async function maturitiesOf(
  session: Session,
  notes: readonly NoteUtilization[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await session.query<{ note: string; maturity: string | null }>(
    `select note.value ->> 'id' as note, (select max(day #>> '{}')
       from jsonb_path_query(note.value, '$.tranches[*].terms.timeline.maturity ? (@.type() == "string")') as day) as maturity
     from transactions t cross join lateral jsonb_array_elements(t.notes) as note where t.id = any ($1)`,
    [[...new Set(notes.map(({ transaction }) => transaction))]],
  );
  return new Map(rows.map(({ note, maturity }) => [note, maturity?.slice(0, 10) ?? null]));
}

async function answerOfCapital(
  session: Session,
  actor: UserActor,
  { figure, fund, investor, from, at }: Extract<FigureReading, { kind: 'capital' }>,
  { names, today }: Asked,
): Promise<ChatAnswer> {
  const query: FundFigureQuery = {
    ...(fund ? { fundId: fund } : {}),
    ...(investor ? { investorId: investor } : {}),
    ...(at ? { cutOffDate: at } : {}),
  };
  const known = from ? [await inPeriod(session, query, figure, from)] : await knownOf(session, query, figure);
  const isOwn = isOutsider(actor.type);
  const subjects = [
    ...(investor ? [titleOf(names, 'investor.id', investor)] : []),
    ...(fund ? [titleOf(names, 'fund', fund)] : []),
  ];
  const of = subjects.length > 0 ? subjects.join(' in ') : isOwn ? 'what you hold' : 'all funds';
  const date = at ?? today;
  const figures = known.map(
    ({ label, value, unit }): Figure => ({ label, of, value, ...(unit ? { unit } : {}), date }),
  );
  const links = [
    ...(fund ? [{ title: titleOf(names, 'fund', fund), path: paths.fund(fund, at ? { date: at } : {}) }] : []),
    ...(investor && !isOwn ? [{ title: titleOf(names, 'investor.id', investor), path: paths.investor(investor) }] : []),
  ];
  return {
    text: figures.map((one, index) => lineOf(one, known[index]?.about)).join('\n'),
    figures,
    links: links.length > 0 ? links : [{ title: 'Overview', path: paths.home() }],
  };
}

/** What happened from a day to the query's: the difference of two totals. */
async function inPeriod(
  session: Session,
  query: FundFigureQuery,
  figure: CapitalFigure,
  from: CalendarDate,
): Promise<Known> {
  const label = FIGURE_LABELS[figure];
  if (figure !== 'called' && figure !== 'distributed' && figure !== 'writtenOff') return { label, value: null };
  const end = await selectionFigures(session, query);
  const start = await selectionFigures(session, {
    ...query,
    currency: end.currency,
    cutOffDate: addTime(from, 'days', -1),
  });
  return {
    label: `${label} since ${formatCalendarDate(from)}`,
    value: subtract(end[figure], start[figure]),
    unit: end.currency,
    about: converted(end),
  };
}

const converted = ({ ratesDate, currency }: SelectionFigures): string =>
  ratesDate ? `Other currencies are converted to ${currency} at the rates of ${formatCalendarDate(ratesDate)}.` : '';

async function knownOf(session: Session, query: FundFigureQuery, figure: CapitalFigure): Promise<readonly Known[]> {
  const { figures, returns } = await selectionPerformance(session, query);
  const label = FIGURE_LABELS[figure];
  const first = returns.items[0]?.when;
  const rate = (side: 'net' | 'gross'): Known => {
    const { percent, reason } = shownReturn(returns[side], first, returns.cutOffDate);
    return {
      label: FIGURE_LABELS[side === 'net' ? 'netIrr' : 'grossIrr'],
      value: percent,
      unit: '%',
      ...(reason ? { about: `${reason}.` } : {}),
    };
  };
  switch (figure) {
    case 'netIrr':
      return [rate('net')];
    case 'grossIrr':
      return [rate('gross')];
    case 'irr':
      return [rate('net'), rate('gross')];
    case 'tvpi':
    case 'dpi':
    case 'rvpi':
      return [{ label, value: figures[figure], unit: 'x' }];
    case 'nav':
    case 'grossNav':
      return [{ label, value: figures[figure], unit: figures.currency, about: aboutNav(figures) }];
    default: {
      const value: DecimalText = figures[figure];
      return [{ label, value, unit: figures.currency, about: converted(figures) }];
    }
  }
}

function aboutNav(figures: SelectionFigures): string {
  const { navDate, nav } = figures;
  const recorded = navDate && nav !== null ? `Rolled forward from the NAV of ${formatCalendarDate(navDate)}.` : '';
  return [recorded, converted(figures)].filter((text) => text !== '').join(' ');
}
