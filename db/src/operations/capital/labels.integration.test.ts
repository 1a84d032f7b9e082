import { contributionCreateSchema } from '@tapeline/domain/capital/contribution.schema.ts';
import { distributionCreateSchema } from '@tapeline/domain/capital/distribution.schema.ts';
import { navCreateSchema } from '@tapeline/domain/capital/nav.schema.ts';
import { findPaymentReferences } from '@tapeline/domain/capital/payment-reference.ts';
import { reportCreateSchema } from '@tapeline/domain/capital/statement.schema.ts';
import { commitmentCreateSchema } from '@tapeline/domain/commitments/commitment.schema.ts';
import { fundCreateSchema } from '@tapeline/domain/funds/fund.schema.ts';
import { MAIL_PAGES } from '@tapeline/domain/mail/pages.ts';
import { formatFigure, formatPercent } from '@tapeline/domain/money/format-figure.ts';
import type { PrintedBlock, PrintedDocument } from '@tapeline/domain/printing/printed-document.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LP } from '../../entities/people.ts';
import { StoredFile } from '../../entities/records.ts';
import { newId } from '../../ids.ts';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { addEntity } from '../../testing/entities.ts';
import { makeTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { createCommitment } from '../commitments/change-commitments.ts';
import { createFund } from '../funds/change-funds.ts';
import { listOfInvestors } from './calls-and-distributions.ts';
import { readNotices } from './compose-notices.ts';
import { callCapital } from './contributions.ts';
import { distribute } from './distributions.ts';
import { createNavs } from './navs.ts';
import { type MailedTable, noticeMail } from './notice-mails.ts';
import { paymentDetailsOf } from './own-capital.ts';
import { createReports } from './reports.ts';
import { createCapitalAccounts } from './statements.ts';
import { readDocuments } from './tell-investors.ts';

let database: TestDatabase;
let managerId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  managerId = await database.store.as(SYSTEM, async (session) => {
    await seedFoundations(session);
    return (await makeTenant(session)).managerId;
  });
});
afterAll(() => database.close());

const asManager = <Result>(work: (session: Session) => Promise<Result>): Promise<Result> =>
  database.store.as(testActor({ type: 'manager', managerId }), work);
const asProgram = <Result>(work: (session: Session) => Promise<Result>): Promise<Result> =>
  database.store.as(SYSTEM, work);

interface World {
  readonly classes: readonly string[];
  readonly fund: string;
  /** What each investor has committed to each class, by title; without classes, under "". */
  readonly committed: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly ids: ReadonlyMap<string, string>;
}

const BANK = {
  title: 'Subscription account',
  bankName: 'First Tidewater Bank',
  accountNumber: '3300118844',
  address: '1 High Street, New York',
  type: 'Business',
};

/** A fund with three investors: the first is in every class, the others in every other class. */
async function world(classCount: number): Promise<World> {
  const classes = Array.from({ length: classCount }, (_, index) => `Class ${String.fromCharCode(65 + index)}`);
  return asManager(async (session) => {
    const entity = await asProgram(async ({ em }) => addEntity(em, managerId, `Pier Fund ${classCount} SCSp`));
    await database.query('update entities set banks = $2 where id = $1', [entity, JSON.stringify([BANK])]);
    const { fund } = await createFund(
      session,
      fundCreateSchema.parse({
        title: `Pier Fund ${classCount}`,
        type: 'SMA',
        strategy: 'ABL',
        currency: 'USD',
        targetSize: 1,
        hardCap: 1,
        entity,
        ...(classCount > 0 ? { classes: classes.map((name) => ({ name, uniqueKey: `key ${name}` })) } : {}),
      }),
    );
    const committed = new Map<string, Map<string, number>>();
    const ids = new Map<string, string>();
    for (const [place, name] of ['Alpine', 'Borough', 'Cedar'].entries()) {
      const title = `${name} ${classCount}`;
      const id = newId();
      await asProgram(async ({ em }) => {
        em.create(LP, { id, managerId, title, entityId: addEntity(em, managerId, `${title} Ltd`) });
      });
      ids.set(title, id);
      const own = new Map<string, number>();
      committed.set(title, own);
      for (const [index, Class] of (classCount === 0 ? [''] : classes).entries()) {
        if (place > 0 && (index + place) % 2 === 0 && classCount > 1) continue;
        const amount = 1000 * (place + 1) + 100 * index;
        own.set(Class, amount);
        await createCommitment(
          session,
          commitmentCreateSchema.parse({
            fund: fund.id,
            ...(Class ? { Class: `key ${Class}` } : {}),
            investor: { id, kind: 'LP' },
            closingDate: '2025-01-31',
            maxCommitment: amount,
          }),
        );
      }
    }
    return { classes, fund: fund.id, committed, ids };
  });
}

const sumOf = (numbers: Iterable<number>): number => [...numbers].reduce((total, one) => total + one, 0);
/** Committed to the fund, or to one class. */
const wholeOf = ({ committed }: World, Class?: string): number =>
  sumOf([...committed.values()].flatMap((own) => (Class === undefined ? [...own.values()] : [own.get(Class) ?? 0])));
const percent = (part: number, whole: number): string => {
  const digits = formatFigure(String((part / whole) * 100), 4);
  return formatPercent(
    String((part / whole) * 100),
    Math.max(2, (digits.split('.')[1] ?? '').replace(/0+$/, '').length),
  );
};

/** Every label of a printed document with its figure: facts, figures and details. */
function labelled({ blocks }: PrintedDocument): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (block: PrintedBlock): void => {
    if (block.kind === 'sides') for (const side of block.sides) side.blocks.forEach(visit);
    if (block.kind === 'addressee') for (const { label, value } of block.facts) found.set(label, value);
    if (block.kind === 'figures') for (const { label, value } of block.figures) found.set(label, value);
    if (block.kind === 'details') for (const { label, value } of block.details) found.set(label, value);
  };
  blocks.forEach(visit);
  return found;
}
const tableOf = ({ blocks }: PrintedDocument, title: string) => {
  const table = blocks.find((block) => block.kind === 'table' && block.title === title);
  if (table?.kind !== 'table') throw new Error(`no table ${title}`);
  return table;
};

/** What is printed of documents, in their order. */
const composed = async (table: 'contributions' | 'distributions' | 'capital_accounts', ids: readonly string[]) =>
  asProgram(async (session) => {
    const claimed = ids.map((id) => ({ table, id }));
    const notices = new Map(
      (await readNotices(session, claimed, async () => null)).map((notice) => [notice.id, notice]),
    );
    return ids.map((id) => notices.get(id)!.compose().printed);
  });

/** The emails about documents. They state no amount, so that every figure in them is a date or a number of the document. */
const mailsOf = async (table: MailedTable, documents: readonly { id: string }[]) => {
  const ids = documents.map(({ id }) => id);
  const read = await asProgram((session) => readDocuments(session, table, ids));
  expect(read.map(({ id }) => id).sort()).toEqual(ids.toSorted());
  return read.map((document) => noticeMail(table, document));
};

describe.each([0, 1, 2, 10])('of a fund with %i classes', (classCount) => {
  let built: World;
  beforeAll(async () => {
    built = await world(classCount);
    await asManager((session) =>
      createNavs(
        session,
        [...built.committed].slice(0, 1).flatMap(([title, own]) =>
          [...own].map(([Class, amount]) =>
            navCreateSchema.parse({
              fund: built.fund,
              ...(Class ? { Class: `key ${Class}` } : {}),
              investor: { id: built.ids.get(title), kind: 'LP' },
              cutOffDate: '2025-12-31',
              currency: 'USD',
              gross: amount,
              net: amount,
            }),
          ),
        ),
      ),
    );
  });
  const scopes = (): (string | null)[] => (classCount === 0 ? [null] : [null, built.classes.at(-1)!]);
  const investorOf = (id: string | null | undefined): string =>
    [...built.ids].find(([, one]) => one === id)?.[0] ?? 'nobody';
  const classOf = (key: string | null | undefined): string => key?.replace('key ', '') ?? '';

  test('each call’s notice, its list and its email say what their figures are', async () => {
    const references = new Set<string>();
    for (const [index, Class] of scopes().entries()) {
      const whole = wholeOf(built, Class ?? undefined);
      const amount = whole / 10;
      const parts = await asManager((session) =>
        callCapital(
          session,
          contributionCreateSchema.parse({
            fund: built.fund,
            callNumber: String(index + 1),
            ...(Class === null ? {} : { Class: `key ${Class}` }),
            cutOffDate: '2026-01-31',
            dueDate: '2026-03-01',
            amount: { sum: amount, currency: 'USD' },
            callPurposes: [{ title: 'Notes', kind: 'investments', amount }],
            pdfOptions: { fundLevel: true },
            status: 'Active',
          }),
        ),
      );
      const ids = parts.map(({ id }) => id);
      const printed = await composed('contributions', ids);
      const payments = await asManager((session) => paymentDetailsOf(session, ids));
      for (const [at, document] of printed.entries()) {
        const part = parts[at]!;
        const title = investorOf(part.investorLPId);
        const own = built.committed.get(title)!.get(classOf(part.Class)) ?? 0;
        const facts = labelled(document);
        expect(facts.get('Your commitment')).toBe(`USD ${formatFigure(String(own), 2)}`);
        // The share is named for what it is a share of, and the other name is not there.
        expect(facts.get(Class === null ? 'Your share of the fund' : 'Your share of the class')).toBe(
          percent(own, whole),
        );
        expect(facts.has(Class === null ? 'Your share of the class' : 'Your share of the fund')).toBe(false);
        expect(facts.get('Amount due')).toBe(`USD ${formatFigure(String(own / 10), 2)}`);
        const table = tableOf(document, 'This call');
        expect(table.columns.map(({ head }) => head)).toEqual([
          'Purpose',
          Class === null ? 'All partners (USD)' : 'All partners of the class (USD)',
          'Your share (USD)',
        ]);
        expect(table.total).toEqual(['Total', formatFigure(String(amount), 2), formatFigure(String(own / 10), 2)]);
        // Where to pay: the account is not the bank, and the beneficiary is the fund by its legal name.
        expect(facts.get('Beneficiary')).toBe(`Pier Fund ${classCount} SCSp`);
        expect(facts.get('Bank')).toBe('First Tidewater Bank, 1 High Street, New York');
        expect(JSON.stringify(document)).not.toContain('Subscription account');
        expect(facts.get('Account number')).toBe('3300118844');
        const reference = facts.get('Payment reference')!;
        expect(reference).toMatch(new RegExp(`^PF\\d+-C${index + 1}-\\d{3}[A-Z]?-\\d$`));
        expect(findPaymentReferences(reference)).toHaveLength(1);
        expect(payments.get(part.id)?.reference).toBe(reference);
        references.add(reference);
      }
      const list = (await asManager((session) => listOfInvestors(session, parts[0]!.metadata.bundleId!))).printed;
      const isOfOneClass = classCount <= 1 || Class !== null;
      expect(list.subtitle).toBe(
        [
          `Call ${index + 1}`,
          `Pier Fund ${classCount}`,
          ...(isOfOneClass && classCount > 0 ? [built.classes.at(-1)!] : []),
        ].join(' · '),
      );
      const investors = tableOf(list, 'Investors');
      const heads = investors.columns.map(({ head }) => head);
      expect(heads).toContain(Class === null ? 'Share of fund' : 'Share of class');
      expect(heads.includes('Class')).toBe(!isOfOneClass);
      for (const row of investors.rows) {
        const [, name = '', ...cells] = row.cells;
        const own = built.committed.get(name.replace(' Ltd', ''))!;
        const committed = isOfOneClass ? own.get(Class ?? built.classes[0] ?? '')! : own.get(cells[0]!)!;
        const [shownCommitment, shownShare] = isOfOneClass ? cells : cells.slice(1);
        expect(shownCommitment).toBe(formatFigure(String(committed), 2));
        expect(shownShare).toBe(formatPercent(String((committed / whole) * 100), 4));
      }
      expect(investors.rows).toHaveLength(parts.length);
      const [mailed] = await asProgram((session) => readDocuments(session, 'contributions', ids));
      const mail = noticeMail('contributions', mailed!);
      expect(mail.subject).toBe(`Pier Fund ${classCount}: capital call ${index + 1}, due 1 Mar 2026`);
      expect(mail.lines.join(' ')).toContain('with the amount and the wire instructions');
    }
    const parts = await database.query<{ count: number }>(
      'select count(*)::int as count from contributions where fund_id = $1',
      [built.fund],
    );
    expect(references.size).toBe(parts[0]?.count);
  });

  test('each distribution’s notice and its list do so as well', async () => {
    for (const [index, Class] of scopes().entries()) {
      const whole = wholeOf(built, Class ?? undefined);
      const parts = await asManager((session) =>
        distribute(session, [
          distributionCreateSchema.parse({
            fund: built.fund,
            callNumber: `D${index + 1}`,
            ...(Class === null ? {} : { Class: `key ${Class}` }),
            cutOffDate: '2026-02-28',
            distributionKind: 'Interest',
            principal: { sum: 0, currency: 'USD' },
            components: [{ title: 'Interest', actionType: 'INTEREST', amount: { sum: whole / 100, currency: 'USD' } }],
            pdfOptions: { fundLevel: true },
            status: 'Active',
          }),
        ]),
      );
      const printed = await composed(
        'distributions',
        parts.map(({ id }) => id),
      );
      for (const [at, document] of printed.entries()) {
        const part = parts[at]!;
        const own = built.committed.get(investorOf(part.investorLPId))!.get(classOf(part.Class)) ?? 0;
        const facts = labelled(document);
        expect(facts.get(Class === null ? 'Your share of the fund' : 'Your share of the class')).toBe(
          percent(own, whole),
        );
        expect(facts.get('Amount distributed')).toBe(`USD ${formatFigure(String(own / 100), 2)}`);
        expect(tableOf(document, 'This distribution').total).toEqual([
          'Total distributed',
          formatFigure(String(whole / 100), 2),
          formatFigure(String(own / 100), 2),
        ]);
      }
      const list = (await asManager((session) => listOfInvestors(session, parts[0]!.metadata.bundleId!))).printed;
      expect(tableOf(list, 'Investors').columns.map(({ head }) => head)).toContain(
        Class === null ? 'Share of fund' : 'Share of class',
      );
      expect(list.subtitle?.includes('Class')).toBe(classCount === 1 || Class !== null);
      for (const mail of await mailsOf('distributions', parts)) {
        expect(mail.subject).toBe(`Pier Fund ${classCount}: distribution D${index + 1} of 28 Feb 2026`);
        expect(mail.lines).toEqual([
          `Pier Fund ${classCount} has issued distribution D${index + 1} of 28 Feb 2026.`,
          'Your notice is on the page below.',
        ]);
        expect(mail.page).toBe(MAIL_PAGES.distribution(parts[0]!.metadata.bundleId!));
      }
    }
  });

  test('a statement names the share of what it covers', async () => {
    const [title, own] = [...built.committed][0]!;
    for (const Class of scopes()) {
      const [account] = await asManager((session) =>
        createCapitalAccounts(session, [
          {
            fund: built.fund,
            investor: { id: built.ids.get(title)!, kind: 'LP' },
            cutOffDate: '2025-12-31',
            ...(Class === null ? {} : { Class: `key ${Class}` }),
            status: 'Active' as const,
          },
        ]),
      );
      const [document] = await composed('capital_accounts', [account!.id]);
      const facts = labelled(document!);
      const committed = Class === null ? sumOf(own.values()) : own.get(Class)!;
      expect(facts.get(Class === null ? 'Your share of the fund' : 'Your share of the class')).toBe(
        percent(committed, wholeOf(built, Class ?? undefined)),
      );
      expect(facts.get('Closing balance')).toBe(formatFigure(String(committed), 2));
      expect(document!.subtitle?.includes('Class')).toBe(Class !== null);
      expect(JSON.stringify(document)).not.toContain('"Your share of the fund","value":"n/a"');
      expect(await mailsOf('capital_accounts', [account!])).toMatchObject([
        {
          subject: `Pier Fund ${classCount}: capital account statement of 31 Dec 2025`,
          lines: ['Your capital account statement of 31 Dec 2025 is published.'],
          page: MAIL_PAGES.fundDocuments(built.fund),
        },
      ]);
    }
  });

  test('the email of a report names its fund and date, and goes to the investors of its class', async () => {
    for (const Class of scopes()) {
      const key = newId();
      const file = { key, bucket: 'fundReports' as const, name: 'Report.pdf', size: 1, type: 'application/pdf' };
      await asProgram(async ({ em, now }) => {
        em.create(StoredFile, { ...file, id: newId(), checksum: '0', status: 'Active', managerId, createdAt: now });
      });
      const [report] = await asManager((session) =>
        createReports(session, [
          reportCreateSchema.parse({
            fund: built.fund,
            ...(Class === null ? {} : { Class: `key ${Class}` }),
            cutOffDate: '2026-03-31',
            fileMetadata: { key, name: 'Report.pdf' },
            status: 'Active',
          }),
        ]),
      );
      expect(await mailsOf('reports', [report!])).toMatchObject([
        {
          subject: `Pier Fund ${classCount}: report of 31 Mar 2026`,
          lines: [`The report of Pier Fund ${classCount} of 31 Mar 2026 is published.`],
          page: MAIL_PAGES.fundDocuments(built.fund),
        },
      ]);
      const [read] = await asProgram((session) => readDocuments(session, 'reports', [report!.id]));
      const investors = [...built.committed].filter(([, own]) => Class === null || own.has(Class));
      expect(read!.parties.map(({ title }) => title)).toEqual(investors.map(([title]) => title));
    }
  });

  test('a reference stays as it was printed, whatever becomes of the classes and of the title of the fund', async () => {
    const parts = await database.query<{ id: string }>(
      `select id from contributions where fund_id = $1 and status = 'Active' order by id`,
      [built.fund],
    );
    const ids = parts.map(({ id }) => id);
    const references = async () => {
      const payments = await asManager((session) => paymentDetailsOf(session, ids));
      const printed = (await composed('contributions', ids)).map(
        (document) => labelled(document).get('Payment reference')!,
      );
      expect(ids.map((id) => payments.get(id)?.reference)).toEqual(printed);
      return printed;
    };
    const classesNow = async () => {
      const [fund] = await database.query<{ classes: { name: string; uniqueKey: string }[]; places: object }>(
        'select classes, class_places as places from funds where id = $1',
        [built.fund],
      );
      return fund!;
    };
    const change = (classes: readonly { name: string; uniqueKey: string }[]) =>
      database.query('update funds set classes = $2 where id = $1', [built.fund, JSON.stringify(classes)]);
    const before = await references();
    expect(before.length).toBeGreaterThan(0);
    const { classes } = await classesNow();
    if (classCount > 0 && classCount < 10) {
      // One in front of all, in place of which comes another one.
      await change([{ name: 'First', uniqueKey: 'first' }, ...classes]);
      expect(await references()).toEqual(before);
      await change([{ name: 'Second', uniqueKey: 'second' }, ...classes]);
      expect((await classesNow()).places).toMatchObject({ first: classCount, second: classCount + 1 });
    }
    await change(classes.toReversed().map(({ uniqueKey }) => ({ uniqueKey, name: `Renamed ${uniqueKey}` })));
    expect(await references()).toEqual(before);
    await database.query(`update funds set class_places = '{}' where id = $1`, [built.fund]);
    expect(await references()).toEqual(before);
    await change(classes);
    const title = 'Zenith Yield Xylem';
    const [{ title: own } = { title }] = await database.query<{ title: string }>(
      'select title from funds where id = $1',
      [built.fund],
    );
    await database.query('update funds set title = $2 where id = $1', [built.fund, title]);
    expect(await references()).toEqual(before);
    await database.query('update funds set title = $2 where id = $1', [built.fund, own]);
  });
});
