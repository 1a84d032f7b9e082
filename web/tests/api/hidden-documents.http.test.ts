import { newId } from '@tapeline/db/ids.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import { COLLECTIONS, callsOf } from '@tapeline/domain/collections/collections.ts';
import { DOCUMENT_COLLECTIONS, type DocumentCollection } from '@tapeline/domain/people/access.ts';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { endpoints } from '../../app/api/api.server.ts';
import { type Asked, askAll, failures, foundIn, type Shown } from '../asked.ts';
import { allById, type Body } from '../asked-by-id.ts';
import { allReads, allWrites } from '../asked-calls.ts';
import { allImports, allReviews } from '../asked-checks.ts';
import { allScreens } from '../asked-screens.ts';
import { type MarkedDocuments, markDocuments, newsOf, word } from '../marked-documents.ts';
import { productStore } from '../product-store.ts';
import { addReaders, BLOCKED, READS, type Readers } from '../readers.ts';
import { ownTenant } from '../tenant.ts';

/**
 * One document of each collection has a word in its texts and digits in its amounts that occur nowhere else. Whatever
 * answers somebody for whom the document is blocked, or who may not read its collection, is searched for them.
 */
const tenant = ownTenant();
let marked: MarkedDocuments;
let readers: Readers;
/** What a person from whom nothing is hidden can ask and is shown. */
let everything: { readonly asked: readonly Asked[]; readonly shown: readonly Shown[] };
let checks: readonly Asked[];
/** The marked documents as that person is shown them. */
const bodies = new Map<DocumentCollection, Body>();

const clientOf = (name: string) => readers.clientOf(name);
const idOf = (collection: DocumentCollection): string => marked.idOf(collection);
const marksOf = (collections: Iterable<DocumentCollection>): string[] => marked.marksOf(collections);

beforeAll(async () => {
  marked = await markDocuments(tenant);
  readers = await addReaders(tenant, marked);
  const client = await clientOf('everything');
  const store = await productStore();
  // Their notices are printed each minute, and are documents of the fund, the investor and the manager from then on.
  const unprinted = ['contributions', 'distributions'] as const;
  await vi.waitFor(
    async () => {
      const left = unprinted.map((one, at) => `select id from ${one} where id = $${at + 1} and file_id is null`);
      const rows = await store.as(SYSTEM, ({ query }) => query(left.join(' union all '), unprinted.map(idOf)));
      expect(rows).toEqual([]);
    },
    { timeout: 180_000, interval: 1_000 },
  );
  checks = [...allImports(marked), ...allReviews(marked)];
  const screens = await allScreens(client, marked);
  const others = [...allReads(marked), ...allWrites(marked), ...checks];
  everything = {
    asked: [...screens.asked, ...others],
    shown: [...screens.shown, ...(await askAll(client, others))],
  };
  for (const collection of DOCUMENT_COLLECTIONS) {
    const answer = await client.api.get(callsOf(collection), { filter: { id: idOf(collection) } });
    // Contracts are shown within their transaction.
    if (answer.status === 200) bodies.set(collection, answer.json[0]);
  }
});

/** What was asked where these marks are shown to whom nothing is hidden: where they could be seen by mistake. */
const whereShown = (marks: readonly string[]): Asked[] => {
  const places = new Set(
    everything.shown.filter(({ text }) => marks.some((mark) => text.includes(mark))).map(({ what }) => what),
  );
  return everything.asked.filter(({ what }) => places.has(what));
};

it('a person from whom nothing is hidden is shown every planted document, and no answer fails', () => {
  expect(failures(everything.shown)).toEqual([]);
  expect(foundIn(everything.shown, [PARTIAL])).toEqual([]);
  const rarely = DOCUMENT_COLLECTIONS.filter((one) => foundIn(everything.shown, marksOf([one])).length < 3);
  expect(rarely).toEqual([]);
  expect(foundIn(everything.shown, (['funds', 'LPs', 'companies'] as const).map(newsOf)).length).toBeGreaterThan(5);
  const marks = marksOf(DOCUMENT_COLLECTIONS);
  const silent = checks.filter(({ what }) => {
    const answers = everything.shown.filter((shown) => shown.what === what);
    return foundIn(answers, marks).length === 0;
  });
  expect(silent.map(({ what }) => what)).toEqual([]);
});

/** A notice is complete, and whoever may see its document reads it once it is issued. So is its preview. */
const WHOLE = /^the notice of a (call|distribution) before it is issued$/;
const PARTIAL = 'Figures cover the documents that you can see';

describe('a blocked document, and what belongs to it, is shown nowhere', () => {
  it.each(Object.entries(BLOCKED))('%s', async (name, blocked) => {
    const marks = [...marksOf(marked.hiddenWith(blocked)), ...blocked.map(newsOf)];
    const shown = await askAll(await clientOf(name), whereShown(marks));
    expect(shown.length).toBeGreaterThan(50);
    // A total of less than everything says so.
    const partial = shown.filter(({ text }) => text.includes(PARTIAL));
    expect(partial.length).toBeGreaterThan(20);
    expect(failures(shown)).toEqual([]);
    expect(
      foundIn(
        shown.filter(({ what }) => !WHOLE.test(what)),
        marks,
      ),
    ).toEqual([]);
  });
});

/** The answer without what names the request and the document. */
const likeness = ({ what, status, text }: Shown, id: string) => {
  const [, title = ''] = /<title>(.*?)<\/title>/.exec(text) ?? [];
  const said = text.startsWith('<') ? title : text.replaceAll(id, 'ID').replace(/"traceId":"\w+"/, '');
  return { what: what.replaceAll(id, 'ID'), status, said };
};

describe('a blocked document is as one that does not exist', () => {
  it.each(Object.entries(BLOCKED))('%s', async (name, blocked) => {
    const client = await clientOf(name);
    let compared = 0;
    for (const collection of marked.hiddenWith(blocked)) {
      const answersFor = async (id: string) => {
        const shown = await askAll(client, allById(collection, id, bodies.get(collection) ?? {}, marked));
        return shown.map((one) => likeness(one, id)).sort((a, b) => a.what.localeCompare(b.what));
      };
      const [hidden, missing] = [await answersFor(idOf(collection)), await answersFor(newId(new Date()))];
      expect(hidden).toEqual(missing);
      compared += hidden.length;
    }
    expect(compared).toBeGreaterThan(10);
  });
});

it('who may change a document but not read it is told only its id and version', async () => {
  const everybody = await clientOf('everything');
  const told: string[] = [];
  for (const [collection, body] of bodies) {
    const { id, version } = body as { id: string; version: number };
    const changes = allById(collection, id, body, marked).filter(({ what }) => what.startsWith('PUT'));
    const [all, few] = [
      await askAll(everybody, changes),
      await askAll(await clientOf(COLLECTIONS[collection].read), changes),
    ];
    expect(foundIn(few, marksOf([collection]))).toEqual([]);
    for (const { what, status, text } of few) {
      if (status !== 200) continue;
      expect([what, [JSON.parse(text)].flat()]).toEqual([what, [{ id, version }]]);
      told.push(what);
    }
    const changed = (answers: readonly Shown[]) =>
      answers
        .filter(({ status }) => status === 200)
        .map(({ what }) => what)
        .sort();
    for (const { what, text } of all.filter((one) => one.status === 200))
      expect([what, Object.keys([JSON.parse(text)].flat()[0]).length > 5]).toEqual([what, true]);
    expect(changed(few)).toEqual(changed(all));
  }
  expect(told.length).toBeGreaterThan(8);
});

/**
 * A call names its fund and its investor, a base its tape: whoever reads one is shown these names. They are looked for
 * where documents are listed as documents, and at their own addresses.
 */
const NAMED: readonly DocumentCollection[] = [
  'companies',
  'funds',
  'mainFunds',
  'LPs',
  'LPCommitments',
  'transactions',
  'assetsETLs',
  'loanTapes',
];
const LISTING =
  /^(\/admin\/entities|\/notifications|\/filters|\/chats|the question|GET \/crud\/(notifications|groupFilters|history))/;
/** The form of a call or a commitment names its fund. */
const FORM_OF_PART = /\/commitments\/new$|^\/capital\/(calls|distributions)\/new/;
/** What a fund or a facility comes to is a figure of its own, although it may follow from one document. */
const FIGURES =
  /^(\/|\/monitoring|\/monitoring\/transactions\/\w+(\?(confirm=close|view=\w+))?|GET \/crud\/transactions\/notes\/utilization|a (distribution|write-off) beyond .*|the review of a distribution of .*|a write-off that is moved .*)$/;

describe('without the permission to read a collection', () => {
  it.each(READS)('%s: its calls are refused, and its documents are shown nowhere', async (key) => {
    const client = await clientOf(key);
    for (const { method, path } of endpoints.filter(({ access }) => access === key)) {
      const address = path.replaceAll(/\{\w+\}/g, '0'.repeat(24));
      const { status } = await client.api.call(method, address, method === 'GET' ? {} : { body: {} });
      expect([method, path, status]).toEqual([method, path, 403]);
    }
    const hidden = DOCUMENT_COLLECTIONS.filter((collection) => COLLECTIONS[collection].read === key);
    const named = hidden.filter((collection) => NAMED.includes(collection));
    const own = hidden.filter((collection) => !NAMED.includes(collection));
    const isOwn = (what: string) =>
      named.some((collection) => idOf(collection) === what.match(/[0-9a-f]{24}/g)?.at(-1)) && !FORM_OF_PART.test(what);
    const lists = whereShown(marksOf(named)).filter(({ what }) => LISTING.test(what) || isOwn(what));
    const shown = await askAll(client, lists);
    const all = await askAll(client, whereShown(marksOf(own)));
    const news = key === 'announcements/read' ? (['funds', 'LPs', 'companies'] as const).map(newsOf) : [];
    const announced = await askAll(client, whereShown(news));
    expect(failures([...shown, ...all, ...announced])).toEqual([]);
    expect(foundIn(announced, news)).toEqual([]);
    expect(foundIn(shown, marksOf(named))).toEqual([]);
    expect(foundIn(all, own.map(word))).toEqual([]);
    expect(
      foundIn(
        all.filter(({ what }) => !FIGURES.test(what)),
        marksOf(own),
      ),
    ).toEqual([]);
  });
});

it('without the permission to write a collection, its calls are refused', async () => {
  const client = await clientOf('no permission to write');
  for (const { method, path, access } of endpoints) {
    if (!access.endsWith('/write')) continue;
    const address = path.replaceAll(/\{\w+\}/g, '0'.repeat(24));
    const { status } = await client.api.call(method, address, method === 'GET' ? {} : { body: {} });
    expect([method, path, status]).toEqual([method, path, 403]);
  }
});

it('an email or a notification names nothing that is hidden from its reader', async () => {
  const store = await productStore();
  const messages = await store.as(SYSTEM, ({ query }) =>
    query<{ email: string; text: string }>(
      `select u.email, o.subject || o.text as text from outbox o join users u on u.id = o.user_id where u.email = any ($1)`,
      [[...readers.emails.values()]],
    ),
  );
  const sentTo = (name: string): Shown[] =>
    messages
      .filter(({ email }) => email === readers.emails.get(name))
      .map(({ text }) => ({ what: 'an email', status: 200, text }));
  const parties = (['LPs', 'funds', 'serviceProviders'] as const).map(word);
  expect(foundIn(sentTo('everything'), parties)).toHaveLength(parties.length);
  for (const [name, blocked] of Object.entries(BLOCKED))
    expect(foundIn(sentTo(name), marksOf(marked.hiddenWith(blocked))), name).toEqual([]);
  for (const key of READS) {
    const hidden = DOCUMENT_COLLECTIONS.filter((collection) => COLLECTIONS[collection].read === key);
    expect(foundIn(sentTo(key), marksOf(hidden)), key).toEqual([]);
  }
});
