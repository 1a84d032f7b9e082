import type { ChatAnswer } from '@tapeline/db/operations/chats/chats.ts';
import { isQuestionList, listsOf, subjectOf, visibleNames } from '@tapeline/db/operations/chats/question-lists.ts';
import type { Session } from '@tapeline/db/store.ts';
import type { ChatTask, ChatTaskRecord } from '@tapeline/domain/chats/chat.schema.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { type Filter, isEverything } from '@tapeline/domain/filters/filter.ts';
import { filterToJson } from '@tapeline/domain/filters/print.ts';
import { filterToPhrases } from '@tapeline/domain/filters/sentence.ts';
import { can, type UserActor } from '@tapeline/domain/people/actor.ts';
import { listsNamed } from '@tapeline/domain/questions/nouns.ts';
import type { SortedBy } from '@tapeline/domain/questions/question-reader.ts';
import { type Reading, readQuestion } from '@tapeline/domain/questions/read-question.ts';
import { assetSubject, type Names } from '@tapeline/domain/questions/subjects.ts';
import { createLexicon, type Lexicon, type Subject } from '@tapeline/domain/questions/vocabulary.ts';
import { assetListCatalog, type TapeSource } from '@tapeline/lake/assets.ts';
import type { RequestContext } from '../http/context.ts';
import { groupsOfAssets } from '../routes/monitoring/tapes/asset-list.server.ts';
import { tapeSources } from '../routes/monitoring/tapes/tape-sources.server.ts';
import { paths } from '../routes/paths.ts';
import { countList, type Found } from './chat-links.server.ts';
import { askModel } from './chat-model.server.ts';
import { answerWeather } from './weather.server.ts';

const BLANK =
  'Ask about loans in a chat of the task “Assets”, or about funds, commitments, calls, distributions, transactions, draws and repayments in one of the task “Documents”.';

/** Questions about assets are answered for the latest tape of each company, of at most so many companies. */
const MOST_TAPES = 50;

/** The subject of a question: a list, or the assets of the latest tapes. */
interface Asked {
  readonly list: string;
  readonly subject: Subject;
  readonly sources: readonly TapeSource[];
  readonly names: Names;
}

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
  const { task, text, before } = asked;
  if (task === 'weather') return { text: await answerWeather(context.environment.weather, text) };
  if (task === 'blank') return { text: BLANK };
  const opened = await context.store.as(actor, (session) => open(context, session, actor, asked));
  if ('text' in opened) return opened;
  const lexicon = createLexicon(opened.subject);
  const today = new Date().toISOString().slice(0, 10);
  const built = readQuestion(text, { lexicon, today, mainCurrency: 'USD' });
  const { chatModel } = context.environment;
  // A model is only asked what the grammar cannot read: the grammar is exact, and answers at once.
  const reading =
    built.kind === 'asks' && chatModel
      ? ((await askModel(chatModel, { text, subject: opened.subject, today }, onText)) ?? built)
      : built;
  if (reading.kind === 'asks') {
    const offered =
      reading.choices.length > 0 || !before?.filter
        ? reading.text
        : `${reading.text} The previous filter still applies.`;
    return { text: offered, choices: [...reading.choices] };
  }
  return answerWith(context, actor, opened, reading, lexicon);
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
    return { list: 'assets', subject: assetSubject(assetListCatalog(sources), names), sources, names };
  }
  const open = listsOf(actor);
  const subjects = open.map((list) => ({ list, subject: subjectOf(list, names) }));
  const titles = Object.values(names).flatMap((values) => values.flatMap(({ words }) => words));
  const named = listsNamed(
    text,
    subjects.map((one) => ({ list: one, nouns: one.subject.nouns })),
    titles,
  );
  const earlier = subjects.filter(({ list }) => list === before?.list);
  const [only] = named.length === 1 ? named : named.length === 0 ? earlier : [];
  if (only) return { ...only, sources: [], names };
  const offered = named.length > 1 ? named : subjects;
  if (offered.length === 0)
    return { text: 'You don’t have permission to see any list that questions can be asked about.' };
  return {
    text: `Which list do you mean: ${offered.map(({ subject }) => subject.nouns[0]).join(', ')}?`,
    choices: offered.map(({ list, subject }) => ({ label: capital(list), question: `${subject.nouns[0]}: ${text}` })),
  };
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The sources are ordered by cut-off date, the latest first. */
function latestOfEach(sources: readonly TapeSource[]): TapeSource[] {
  const latest = new Map<string, TapeSource>();
  for (const source of sources) if (!latest.has(source.companyId)) latest.set(source.companyId, source);
  return [...latest.values()].slice(0, MOST_TAPES);
}

async function answerWith(
  context: RequestContext,
  actor: UserActor,
  { list, sources, names }: Asked,
  reading: Extract<Reading, { kind: 'filter' }>,
  lexicon: Lexicon,
): Promise<ChatAnswer> {
  const filter = filterToJson(reading.filter);
  const sentence = sentenceOf(reading.filter, names);
  const sort = Object.fromEntries(reading.sort.map(({ path, direction }) => [path, direction]));
  const found = isQuestionList(list)
    ? await countList(context, actor, list, { filter, sort, names })
    : await countAssets(context, actor, sources, filter, reading.sort, names);
  const noun = lexicon.subject.nouns[0] ?? 'rows';
  const order = describeOrder(reading, lexicon, noun);
  const matched = isEverything(reading.filter) ? `all ${noun}` : `${noun} where ${sentence}`;
  return {
    text: `${found.count.toLocaleString('en-US')} ${matched}${order}.${found.note}`,
    filter: JSON.parse(JSON.stringify(filter)),
    sentence,
    count: found.count,
    list,
    ...(reading.sort.length > 0 ? { sort } : {}),
    ...(reading.limit === null ? {} : { limit: reading.limit }),
    links: found.links,
  };
}

function describeOrder({ sort, limit }: Extract<Reading, { kind: 'filter' }>, lexicon: Lexicon, noun: string): string {
  const [first] = sort;
  const label = first && lexicon.known.get(first.path)?.field.label;
  const order = label ? `, ${first.direction === -1 ? 'highest' : 'lowest'} ${label} first` : '';
  return limit === null ? order : `${order}; the first ${limit} ${noun} are asked for`;
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
): Promise<Found> {
  const { groups } = await groupsOfAssets(context, actor, {
    filter: { loanTape: { in: sources.map(({ tapeId }) => tapeId) }, $and: [filter] },
    groupBy: { accumulator: '$sum', by: 'loanTape' },
    limit: MOST_TAPES,
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
  const note = sources.length === 1 ? '' : ` Counted on the latest tape of each of ${sources.length} companies.`;
  return { count, note, links: links.filter((link) => link.count > 0 || links.length === 1) };
}
