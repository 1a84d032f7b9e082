import { isShownWithin, matchesOf, placesOf, type QuestionList } from '@tapeline/db/operations/chats/question-lists.ts';
import type { ChatTaskRecord } from '@tapeline/domain/chats/chat.schema.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import type { Names } from '@tapeline/domain/questions/subjects.ts';
import { formatCount } from '../components/figures/format.ts';
import type { RequestContext } from '../http/context.ts';
import { paths } from '../paths.ts';

type Links = NonNullable<ChatTaskRecord['links']>;

/** How many rows match, and the screens that show them. */
export interface FoundScreens {
  readonly count: number;
  /** What is counted, if it is not what the rows of the list are called. */
  readonly noun?: string;
  readonly note: string;
  readonly links: Links;
}

/** Lists whose screen takes the same filter. */
const SCREENS: Partial<Record<QuestionList, string>> = {
  funds: paths.funds(),
  transactions: paths.transactions(),
  draws: paths.draws(),
  repayments: paths.repayments(),
};

/** Calls and distributions that one link opens: their ids are in its address. */
const MAX_CHOSEN = 100;
/** Funds that are linked to one by one. */
const MAX_FUNDS = 20;

/** Counts the rows of a list that match, with links to them. */
export async function countList(
  context: RequestContext,
  actor: UserActor,
  list: QuestionList,
  {
    filter,
    sort,
    names,
    asksNotices,
  }: { filter: object; sort: Readonly<Record<string, 1 | -1>>; names: Names; asksNotices: boolean },
): Promise<FoundScreens> {
  if (list === 'contributions' || list === 'distributions')
    return countCapital(context, actor, list, { filter, asksNotices });
  const { total } = await context.store.read(actor, (session) => matchesOf(session, list, filter));
  if (isShownWithin(list)) {
    const links = total > 0 ? await linksToFunds(context, actor, { filter, names }) : [];
    return { count: total, note: '', links };
  }
  const screen = SCREENS[list];
  const query = new URLSearchParams({ filter: JSON.stringify(filter) });
  if (Object.keys(sort).length > 0) query.set('sort', JSON.stringify(sort));
  return {
    count: total,
    note: '',
    links: screen ? [{ title: `Open in ${list}`, path: `${screen}?${query}`, count: total }] : [],
  };
}

/** Commitments are shown on the pages of their funds. */
async function linksToFunds(
  context: RequestContext,
  actor: UserActor,
  { filter, names }: { filter: object; names: Names },
): Promise<Links> {
  const { values, total } = await context.store.read(actor, (session) =>
    placesOf(session, 'commitments', { filter, limit: MAX_FUNDS }),
  );
  const titles = new Map((names.fund ?? []).map(({ value, words }) => [value, words[0]]));
  const links = values.map(({ value, rows }) => ({
    title: titles.get(value) ?? 'Fund',
    path: paths.fund(value),
    count: rows,
  }));
  const others = total - values.length;
  return others > 0
    ? [...links, { title: `All funds (${formatCount(others, 'more fund')} with commitments)`, path: paths.funds() }]
    : links;
}

/** Parts of investors are shown, and counted, as the calls and distributions that they are of. */
async function countCapital(
  context: RequestContext,
  actor: UserActor,
  list: 'contributions' | 'distributions',
  { filter, asksNotices }: { filter: object; asksNotices: boolean },
): Promise<FoundScreens> {
  const { values, total, rows, amounts } = await context.store.read(actor, (session) =>
    placesOf(session, list, { filter, limit: MAX_CHOSEN, byRow: asksNotices }),
  );
  const noun = list === 'contributions' ? 'capital call' : 'distribution';
  const note = [
    asksNotices
      ? `Of ${formatCount(total, noun)}.`
      : rows > total
        ? `With ${formatCount(rows, 'notice')} to investors.`
        : '',
    amounts === 'whole' ? `Amounts are those of a ${noun} as a whole.` : '',
  ];
  const found = {
    count: asksNotices ? rows : total,
    noun: asksNotices ? 'notice' : noun,
    note: note.filter((text) => text !== '').join(' '),
  };
  if (total === 0) return { ...found, note: '', links: [] };
  // Investors see a list of what was issued to them, which has no filter.
  const isOwn = actor.lpIds.length > 0;
  const chosen = JSON.stringify({ id: { in: values.map(({ value }) => value) } });
  const addressOf = list === 'contributions' ? paths.capitalCalls : paths.distributions;
  const title =
    total > values.length
      ? `Open the first ${values.length} of ${formatCount(total, noun)}`
      : `Open ${formatCount(total, noun)}`;
  return {
    ...found,
    links: [{ title: isOwn ? `Open your ${noun}s` : title, path: addressOf(isOwn ? {} : { filter: chosen }) }],
  };
}
