import type { ChatAnswer } from '@tapeline/db/operations/chats/chats.ts';
import {
  isQuestionList,
  listsOf,
  mainCurrencyOf,
  mainCurrencyOfTapes,
  type QuestionList,
  subjectOf,
  visibleNames,
} from '@tapeline/db/operations/chats/question-lists.ts';
import type { Session } from '@tapeline/db/store.ts';
import type { ChatTask, ChatTaskRecord } from '@tapeline/domain/chats/chat.schema.ts';
import { calendarDateOf, formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { createCatalog, type FieldCatalog } from '@tapeline/domain/filters/catalog.ts';
import { type Filter, isEverything } from '@tapeline/domain/filters/filter.ts';
import { parseFilter } from '@tapeline/domain/filters/parse.ts';
import { filterToJson } from '@tapeline/domain/filters/print.ts';
import { filterToPhrases } from '@tapeline/domain/filters/sentence.ts';
import { can, type UserActor } from '@tapeline/domain/people/actor.ts';
import { listsNamed } from '@tapeline/domain/questions/nouns.ts';
import type { SortedBy } from '@tapeline/domain/questions/question-reader.ts';
import { type QuestionReading, readQuestion } from '@tapeline/domain/questions/read-question.ts';
import { narrowingOf, refine } from '@tapeline/domain/questions/refine.ts';
import { assetSubject, type Names } from '@tapeline/domain/questions/subjects.ts';
import { createLexicon, type Lexicon, type Subject } from '@tapeline/domain/questions/vocabulary.ts';
import { assetListCatalog, type TapeSource } from '@tapeline/lake/asset-relation.ts';
import { formatCount } from '../components/figures/format.ts';
import type { RequestContext } from '../http/context.ts';
import { paths } from '../paths.ts';
import { groupsOfAssets } from './asset-list.server.ts';
import { answerFigure } from './chat-figures.server.ts';
import { countList, type FoundScreens } from './chat-links.server.ts';
import { askModel } from './chat-model.server.ts';
import { tapeSources } from './tape-sources.server.ts';
import { answerWeather } from './weather.server.ts';

const BLANK =
  'Ask about loans in a chat of the task “Assets”, or about funds, commitments, calls, distributions, facilities, draws and repayments in one of the task “Documents”.';

/** Questions about assets are answered for the latest tape of each company, of at most so many companies. */
const MAX_TAPES = 50;

type FoundReading = Extract<QuestionReading, { kind: 'filter' }>;

/** The subject of a question: a list, or the assets of the latest tapes. */
interface Asked {
  /** The question; of one that narrows down what was found before, what it adds. */
  readonly text: string;
  /** What was found before, if the question narrows it down. */
  readonly earlier: FoundReading | null;
  readonly list: string;
  readonly subject: Subject;
  readonly sources: readonly TapeSource[];
  readonly names: Names;
  /** The one currency of the amounts; null if they have several. */
  readonly mainCurrency: string | null;
}

/** Reading stores nothing: the key of a request is taken by what stores the answer. */
const PREPARES = { isPreparation: true } as const;

/**
 * Answers a message of a chat under the actor's own visibility.
 * @param onText is called with what has arrived of a model's answer
 */
export async function answerQuestion(
  context: RequestContext,
  actor: UserActor,
  asked: { task: ChatTask; text: string; before?: ChatTaskRecord | undefined },
  onText?: (text: string) => void,
): Promise<ChatAnswer> {
  const { task, before } = asked;
  if (task === 'weather') return { text: await answerWeather(context.environment.weather, asked.text) };
  if (task === 'blank') return { text: BLANK };
  const opened = await context.store.as(actor, (session) => open(context, session, actor, asked), PREPARES);
  if (!('subject' in opened)) return opened;
  const { text, earlier, mainCurrency } = opened;
  const today = todayUtc();
  const read = (subject: Subject) => {
    const lexicon = createLexicon(subject);
    return { lexicon, reading: narrowed(readQuestion(text, { lexicon, today, mainCurrency }), earlier) };
  };
  let { lexicon, reading: built } = read(opened.subject);
  // The values of assets are only read for a question with words that mean nothing else.
  if (built.kind === 'asks' && built.unknown.length > 0 && task === 'assetTargetFilter') {
    const values = await valuesOfAssets(context, actor, opened.sources);
    ({ lexicon, reading: built } = read(assetSubject(opened.subject.catalog, { ...opened.names, ...values })));
  }
  const { chatModel } = context.environment;
  // A model is only asked what the grammar cannot read: the grammar is exact, and answers at once.
  const reading =
    built.kind === 'asks' && chatModel && !earlier
      ? ((await askModel(chatModel, { text, subject: opened.subject, today }, onText)) ?? built)
      : built;
  if (reading.kind === 'asks') {
    // A chat about assets also answers what a facility has available.
    const figure =
      task === 'assetTargetFilter'
        ? await context.store.as(actor, (session) => answerFigure(session, actor, { ...opened, text, today }), PREPARES)
        : null;
    if (figure?.figures) return figure;
    const offered =
      reading.choices.length > 0 || !before?.filter
        ? reading.text
        : `${reading.text} The previous filter still applies.`;
    return { text: offered, choices: [...reading.choices] };
  }
  return answerWith(context, actor, opened, reading, lexicon);
}

/** What a question is about: the assets of tapes, or the documents whose nouns or figures it names. */
export async function taskOfQuestion(context: RequestContext, actor: UserActor, text: string): Promise<ChatTask> {
  if (!can(actor, 'assets/read')) return 'mongoFilter';
  return context.store.as(actor, async (session) => {
    const names = await visibleNames(session);
    const titles = Object.values(names).flatMap((values) => values.flatMap(({ words }) => words));
    const nouns = (list: string, subject: Subject) => ({ list, nouns: subject.nouns });
    const lists = [
      ...listsOf(actor).map((list) => nouns(list, subjectOf(list, names))),
      nouns('assets', assetSubject(createCatalog([]), names)),
    ];
    const named = listsNamed(text, lists, titles);
    if (named.length > 0) return named.includes('assets') ? 'assetTargetFilter' : 'mongoFilter';
    return (await answerFigure(session, actor, { text, names, today: todayUtc() }))
      ? 'mongoFilter'
      : 'assetTargetFilter';
  });
}

const todayUtc = (): string => calendarDateOf(new Date());

const narrowed = (reading: QuestionReading, earlier: FoundReading | null): QuestionReading =>
  earlier ? refine(earlier, reading) : reading;

/** What the last answer of the chat found, if its filter still fits the list. */
function foundBefore(before: ChatTaskRecord | undefined, catalog: FieldCatalog): FoundReading | null {
  if (before?.filter === undefined) return null;
  try {
    const filter = parseFilter(before.filter, catalog);
    const sort = Object.entries(before.sort ?? {}).map(([path, direction]) => ({ path, direction }));
    return { kind: 'filter', filter, sort, limit: before.limit ?? null, notes: [] };
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

async function open(
  context: RequestContext,
  session: Session,
  actor: UserActor,
  { task, text, before }: { task: ChatTask; text: string; before?: ChatTaskRecord | undefined },
): Promise<Asked | ChatAnswer> {
  const names = await visibleNames(session);
  if (task === 'assetTargetFilter') {
    if (!can(actor, 'assets/read')) return { text: 'You don’t have permission to see assets.' };
    const sources = latestOfEach(await tapeSources(context, session));
    if (sources.length === 0) return { text: 'There are no assets yet: upload a loan tape first.' };
    const catalog = assetListCatalog(sources);
    const subject = assetSubject(catalog, names);
    const isNamed = (part: string) => listsNamed(part, [{ list: 'assets', nouns: subject.nouns }], []).length > 0;
    const added = before?.filter === undefined ? null : narrowingOf(text, isNamed);
    const earlier = added === null ? null : foundBefore(before, catalog);
    const mainCurrency = await mainCurrencyOfTapes(
      session,
      sources.map(({ tapeId }) => tapeId),
    );
    const asked = earlier && added !== null ? added : text;
    return { list: 'assets', subject, sources, names, text: asked, earlier, mainCurrency };
  }
  const figure = await answerFigure(session, actor, { text, names, today: todayUtc() });
  if (figure) return figure;
  const open = listsOf(actor);
  const subjects = open.map((list) => ({ list, subject: subjectOf(list, names) }));
  const titles = Object.values(names).flatMap((values) => values.flatMap(({ words }) => words));
  const nouns = subjects.map((one) => ({ list: one, nouns: one.subject.nouns }));
  const named = listsNamed(text, nouns, titles);
  const last = subjects.filter(({ list }) => list === before?.list);
  const added = narrowingOf(text, (part) => listsNamed(part, nouns, titles).length > 0);
  const found = added === null ? null : foundBefore(before, last[0]?.subject.catalog ?? createCatalog([]));
  const of = async (one: { list: QuestionList; subject: Subject }) =>
    ({ ...one, sources: [], names, mainCurrency: await mainCurrencyOf(session, one.list) }) as const;
  if (found && last[0] && added !== null) return { ...(await of(last[0])), text: added, earlier: found };
  const [only] = named.length === 1 ? named : named.length === 0 ? last : [];
  if (only) return { ...(await of(only)), text, earlier: null };
  const offered = named.length > 1 ? named : subjects;
  if (offered.length === 0)
    return { text: 'You don’t have permission to see any list that questions can be asked about.' };
  return {
    text: `Which list do you mean: ${offered.map(({ subject }) => subject.nouns[0]).join(', ')}?`,
    choices: offered.map(({ list, subject }) => ({ label: capital(list), question: `${subject.nouns[0]}: ${text}` })),
  };
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Fields whose values a question can name, and how many of them. Beyond these, they are asked for in quotes. */
const NAMED_VALUES = ['creditScores.grade', 'sector', 'product'];
const MAX_VALUES = 200;

/** The values that the assets of the tapes have in some fields. */
async function valuesOfAssets(
  context: RequestContext,
  actor: UserActor,
  sources: readonly TapeSource[],
): Promise<Names> {
  const fields = NAMED_VALUES.filter((path) => 'field' in assetListCatalog(sources).resolve(path));
  const found = await Promise.all(
    fields.map(async (by) => {
      const { groups } = await groupsOfAssets(context, actor, {
        filter: { loanTape: { in: sources.map(({ tapeId }) => tapeId) } },
        groupBy: { accumulator: '$sum', by },
        limit: MAX_VALUES,
      });
      const values = groups.flatMap(({ key }) => (typeof key === 'string' ? [{ value: key, words: [key] }] : []));
      return [by, values] as const;
    }),
  );
  return Object.fromEntries(found);
}

/** The sources are ordered by cut-off date, the latest first. */
function latestOfEach(sources: readonly TapeSource[]): TapeSource[] {
  const latest = new Map<string, TapeSource>();
  for (const source of sources) if (!latest.has(source.companyId)) latest.set(source.companyId, source);
  return [...latest.values()].slice(0, MAX_TAPES);
}

async function answerWith(
  context: RequestContext,
  actor: UserActor,
  { list, sources, names, text }: Asked,
  reading: FoundReading,
  lexicon: Lexicon,
): Promise<ChatAnswer> {
  const filter = filterToJson(reading.filter);
  const sentence = sentenceOf(reading.filter, names);
  const sort = Object.fromEntries(reading.sort.map(({ path, direction }) => [path, direction]));
  const found = isQuestionList(list)
    ? await countList(context, actor, list, { filter, sort, names, asksNotices: /\bnotices?\b/i.test(text) })
    : await countAssets(context, actor, sources, filter, reading.sort, names);
  const noun = lexicon.subject.nouns[0] ?? 'rows';
  const order = describeOrder(reading, lexicon);
  const counted = formatCount(found.count, found.noun ?? noun.replace(/s$/, ''));
  const matched = isEverything(reading.filter) ? '' : ` where ${sentence}`;
  const notes = [...reading.notes, ...(found.note ? [found.note] : [])].map((note) => ` ${note}`).join('');
  return {
    text: `${counted}${matched}${order}.${notes}`,
    filter: JSON.parse(JSON.stringify(filter)),
    sentence,
    count: found.count,
    list,
    ...(reading.sort.length > 0 ? { sort } : {}),
    ...(reading.limit === null ? {} : { limit: reading.limit }),
    links: found.links,
  };
}

function describeOrder({ sort, limit }: FoundReading, lexicon: Lexicon): string {
  const [first] = sort;
  const label = first && lexicon.known.get(first.path)?.field.label;
  const order = label ? `, ${first.direction === -1 ? 'highest' : 'lowest'} ${label} first` : '';
  return limit === null ? order : `${order}; you asked for the first ${limit === 1 ? '' : limit}`.trimEnd();
}

/** The sentence with names in place of ids. */
function sentenceOf(filter: Filter, names: Names): string {
  const titles = new Map(
    Object.values(names).flatMap((values) => values.map(({ value, words }) => [String(value), words[0] ?? ''])),
  );
  return filterToPhrases(filter)
    .map(({ text, kind }) => (kind === 'value' ? (titles.get(text) ?? text) : text))
    .join('');
}

async function countAssets(
  context: RequestContext,
  actor: UserActor,
  sources: readonly TapeSource[],
  filter: object,
  sort: readonly SortedBy[],
  names: Names,
): Promise<FoundScreens> {
  const { groups } = await groupsOfAssets(context, actor, {
    filter: { loanTape: { in: sources.map(({ tapeId }) => tapeId) }, $and: [filter] },
    groupBy: { accumulator: '$sum', by: 'loanTape' },
    limit: MAX_TAPES,
  });
  const counts = new Map(groups.map(({ key, count }) => [key, count]));
  const companies = new Map((names.company ?? []).map(({ value, words }) => [value, words[0]]));
  const links = sources.map((source) => ({
    title: `${companies.get(source.companyId) ?? 'Tape'}, ${formatCalendarDate(source.cutOffDate)}`,
    path: paths.tape(source.tapeId, {
      view: 'assets',
      filter: JSON.stringify(filter),
      ...(sort[0] ? { sort: JSON.stringify({ [sort[0].path]: sort[0].direction }) } : {}),
    }),
    count: counts.get(source.tapeId) ?? 0,
  }));
  const count = links.reduce((sum, link) => sum + link.count, 0);
  const note = sources.length === 1 ? '' : `Counted on the latest tape of each of ${sources.length} borrowers.`;
  return { count, note, links: links.filter((link) => link.count > 0 || links.length === 1) };
}
