import { redirect } from '@remix-run/node';
import { linesOfHeader } from '@tapeline/db/operations/capital/calls-and-distributions.ts';
import { scopeOfHeader, type WholeChange } from '@tapeline/db/operations/capital/change-whole.ts';
import { type LineTable, nextNumber } from '@tapeline/db/operations/capital/headers.ts';
import { fundInvestments } from '@tapeline/db/operations/capital/investments.ts';
import { issueStates, waitsForAnother } from '@tapeline/db/operations/capital/issue-approval.ts';
import { submitEntered } from '@tapeline/db/operations/capital/issue-requests.ts';
import { payInAccount } from '@tapeline/db/operations/capital/notices.ts';
import { whoIsTold } from '@tapeline/db/operations/capital/tell-investors.ts';
import { getFund } from '@tapeline/db/operations/funds/funds.ts';
import type { Page } from '@tapeline/db/operations/listing/list-documents.ts';
import type { Session } from '@tapeline/db/store.ts';
import { todayOf } from '@tapeline/db/today.ts';
import type { OwnAmounts } from '@tapeline/domain/capital/own-amounts.schema.ts';
import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { type DecimalText, sum } from '@tapeline/domain/money/decimal.ts';
import { writtenAmount } from '@tapeline/domain/money/format-figure.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import type { z } from 'zod';
import { storeUploads } from '../../commands/form-files.server.ts';
import { act, type Intent, intent, readScreen, type Screen } from '../../http/screen.server.ts';
import { atFields } from './capital-form.ts';
import { investorChanges, investorsOf } from './draft-change.ts';
import { type FundOfForm, fundOfUrl, readFund } from './fund-of-form.server.ts';
import { previewIntent } from './notice-preview.server.ts';
import { type OwnEntry, type ReadOwn, readOwn } from './own-amounts.ts';

/** What the forms of calls and distributions have in common. */
interface EntryForm extends Record<string, unknown> {
  fund: string;
  Class?: string | null | undefined;
  cutOffDate: string;
  callNumber: string;
  own: OwnEntry[];
  adjusting?: string | undefined;
  undo?: string | undefined;
  cancel: boolean;
  discardOwn: boolean;
}

interface ChangeForm extends EntryForm {
  header: string;
  headerVersion: number;
  investors: string;
  reason?: string | null | undefined;
}

type Previewed<Form> = Form & { commitment: string };

/** An investor's part, as the operations return it. */
interface Line {
  id: string;
  commitmentId: string;
  investor: { title: string } | null;
  activityId: string;
  warnings?: readonly string[] | undefined;
}

/** Whose commitments a call or distribution is split by. */
interface Scope {
  Class?: string | null | undefined;
  commitmentIds?: ReadonlySet<string>;
}

/** What is changed, as its page shows it. */
interface Changed {
  readonly header: {
    id: string;
    callNumber: string;
    drafts: number;
    issued: number;
    investors: number;
    version: number;
    fundId: string;
    cutOffDate: string;
  };
  /** Its values besides the date and the number, as the fields hold them. */
  readonly entered: object;
}

/** What differs between the forms of calls and of distributions. */
interface EntryKind<
  New extends EntryForm,
  Change extends ChangeForm,
  Terms extends object,
  View extends Line,
  Share,
  Own,
> {
  readonly table: LineTable;
  readonly form: z.ZodType<New>;
  readonly changeForm: z.ZodType<Change>;
  readonly previewForms: { new: z.ZodType<Previewed<New>>; change: z.ZodType<Previewed<Change>> };
  /** The lists whose entries are added and removed. */
  readonly lists: readonly string[];
  readonly listTo: string;
  readonly pageTo: (id: string) => string;
  /** The values of a new one at first, besides those that all have. */
  readonly initial: (search: URLSearchParams, today: CalendarDate) => object;
  readonly stored: (session: Session, id: string) => Promise<Changed>;
  /** The entered values as the fields of the form hold them. */
  readonly enteredOf: (form: New | Change) => object;
  /** The field of a path that an operation reports. */
  readonly fieldFor: (form: New | Change, path: string) => string;
  /** The lines that single investors can have own amounts of. */
  readonly titlesOf: (form: New | Change) => readonly { title: string; isRate?: boolean }[];
  readonly termsOf: (session: Session, form: New | Change, scope: Scope) => Promise<Terms> | Terms;
  readonly create: (
    session: Session,
    terms: Terms & { fund: string; own: readonly OwnAmounts[] },
    how: { Class: string | null; status: 'Draft' | 'Active'; dryRun: boolean },
  ) => Promise<View[]>;
  readonly change: (session: Session, change: WholeChange<Terms>) => Promise<View[]>;
  readonly list: (session: Session, query: object) => Promise<Page<View>>;
  readonly shareOf: (view: View) => Share;
  /** All that an investor pays or is paid. */
  readonly totalOf: (share: Share) => DecimalText;
  /** When it is paid, in words: "due 20 Dec 2026". */
  readonly dayOf: (form: New | Change) => string;
  /** What only its review shows. */
  readonly reviewed: (form: New | Change, terms: Terms, shares: Share[], views: readonly View[]) => Own;
  /** Further intents of a new one. */
  readonly more?: Readonly<Record<string, Intent>>;
}

/** What is tried or stored, and what it says of what it changes. */
interface Entered<Terms, View> {
  readonly terms: Terms;
  readonly views: View[];
  readonly Class: string | null;
  readonly changes: readonly string[];
  /** What each commitment had, if an issued call or distribution is issued again. */
  readonly was: Readonly<Record<string, DecimalText>> | null;
  readonly read: ReadOwn;
}

/** The loaders and actions of the form of a new call or distribution, of one that is changed, and of their notices. */
export function entryOf<
  New extends EntryForm,
  Change extends ChangeForm,
  Terms extends object,
  View extends Line,
  Share,
  Own,
>(kind: EntryKind<New, Change, Terms, View, Share, Own>) {
  const { table, lists } = kind;
  const permission = `${table}/write` as const;
  // Only the excuse of an investor from a call has a document.
  const store = (screen: Screen) => storeUploads(screen, { bucket: 'capitalCalls' });
  const limits = { lists, ...(table === 'contributions' ? { files: { permission, store } } : {}) };

  /** What people set for single investors. What is not read yet is not stored. */
  async function ownIn(session: Session, form: New | Change, { dryRun }: { dryRun: boolean }): Promise<ReadOwn> {
    const read = readOwn(form, kind.titlesOf(form), (await getFund(session, form.fund)).currency);
    if (!dryRun && read.adjusting) throw new Refusal('badRequest', 'Apply or cancel the change of the open row first');
    return read;
  }

  async function enter(session: Session, form: New, how: { status: 'Draft' | 'Active'; dryRun: boolean }) {
    const read = await ownIn(session, form, how);
    const terms = await kind.termsOf(session, form, form);
    const Class = form.Class ?? null;
    const views = await kind.create(session, { ...terms, fund: form.fund, own: read.own }, { ...how, Class });
    return { terms, views, Class, changes: [], was: null, read };
  }
  async function enterChange(session: Session, form: Change, how: { status: 'Draft' | 'Active'; dryRun: boolean }) {
    const { header: id, headerVersion: version, reason } = form;
    const was = how.dryRun ? await issuedAmounts(session, id) : null;
    const before = how.dryRun ? await scopeOfHeader(session, table, id, 'same') : null;
    const investors = investorsOf(form.investors);
    const { fund, ...scope } = await scopeOfHeader(session, table, id, investors);
    const read = await ownIn(session, { ...form, fund }, how);
    const terms = { ...(await kind.termsOf(session, { ...form, fund }, scope)), own: read.own };
    const views = await kind.change(session, { id, version, investors, terms, reason, ...how });
    const changes = before ? investorChanges(before.commitmentIds, views) : [];
    return { terms, views, Class: scope.Class, changes, was, read };
  }
  /** What each commitment has of what was issued; null for a draft. */
  async function issuedAmounts(session: Session, id: string): Promise<Record<string, DecimalText> | null> {
    const { header } = await kind.stored(session, id);
    if (header.drafts > 0) return null;
    const { documents } = await kind.list(session, { filter: linesOfHeader(header.id), limit: header.investors });
    return Object.fromEntries(documents.map((view) => [view.commitmentId, kind.totalOf(kind.shareOf(view))]));
  }
  /** Proceeds can be those of one of the investments of the fund. */
  // They are what its calls name.
  const withInvestments = async (session: Session, fund: FundOfForm | null) => {
    const { actor } = session;
    const isOffered = table === 'distributions' && actor.kind === 'user' && can(actor, 'contributions/read');
    return fund && { ...fund, investments: isOffered ? await fundInvestments(session, fund.id) : [] };
  };
  const needsAnother = async (session: Session, [first]: readonly View[]): Promise<boolean> =>
    first !== undefined && waitsForAnother((await issueStates(session, [first.activityId])).get(first.activityId));
  // As if it were issued: what cannot be issued is refused before it is saved.
  const tried = { status: 'Active', dryRun: true } as const;

  /** What would be stored. Sums are of the investors that the actor can see. */
  const review = <Form extends New | Change>(
    { dryRun }: Screen,
    form: Form,
    run: (session: Session) => Promise<Entered<Terms, View>>,
  ) =>
    dryRun(async (session) => {
      const fund = await getFund(session, form.fund);
      const { terms, views, Class, changes, was, read } = await run(session);
      const shares = views.map(kind.shareOf);
      return {
        shares,
        currency: fund.currency,
        className: fund.classes.find(({ uniqueKey }) => uniqueKey === Class)?.name ?? null,
        own: read.entries,
        adjusting: read.adjusting,
        callNumber: form.callNumber,
        issued: `${writtenAmount({ sum: sum(shares.map(kind.totalOf)), currency: fund.currency })}, ${kind.dayOf(form)}`,
        cutOffDate: form.cutOffDate,
        warnings: [...changes, ...(views[0]?.warnings ?? [])],
        needsAnother: await needsAnother(session, views),
        payIn: table === 'contributions' ? await payInAccount(session, fund.id) : null,
        was,
        who: await whoIsTold(
          session,
          table,
          views.map(({ id }) => id),
        ),
        ...kind.reviewed(form, terms, shares, views),
      };
    });

  /** The intents of a form that is reviewed before it is stored as a draft or issued. */
  function intents<Form extends New | Change>(
    schema: z.ZodType<Form>,
    run: (
      session: Session,
      form: Form,
      how: { status: 'Draft' | 'Active'; dryRun: boolean },
    ) => Promise<Entered<Terms, View>>,
    leadTo: (form: Form, views: readonly View[]) => string,
  ) {
    const entry = { permission, schema };
    const shown = (form: Form, own: readonly OwnEntry[] = form.own) => ({
      done: false,
      lastResult: { initialValue: { ...kind.enteredOf(form), own: form.discardOwn ? [] : own } },
    });
    const storing = (status: 'Draft' | 'Active', isSubmitted = false) =>
      intent({
        ...entry,
        async run(form, { db }) {
          const stored = db(async (session) => {
            const entered = await run(session, form, { status, dryRun: false });
            const [first] = entered.views;
            if (isSubmitted && first) await submitEntered(session, table, first.activityId);
            return entered;
          });
          const { views } = await atFields(stored, (path) => kind.fieldFor(form, path));
          return redirect(leadTo(form, views));
        },
      });
    return {
      review: intent({
        ...entry,
        async run(form, screen) {
          const found = review(screen, form, (session) => run(session, form, tried));
          const shownReview = await atFields(found, (path) => kind.fieldFor(form, path));
          return Response.json({ intent: 'review', ...shown(form, shownReview.own), review: shownReview });
        },
      }),
      change: intent({ ...entry, run: async (form) => Response.json({ intent: 'change', ...shown(form) }) }),
      draft: storing('Draft'),
      issue: storing('Active'),
      submit: storing('Draft', true),
    };
  }

  return {
    readNew: readScreen(permission, (screen) =>
      screen.db(async (session) => {
        const { fund, choice } = await fundOfUrl(session, screen);
        const today = todayOf(session);
        const entered = fund && {
          fund: fund.id,
          callNumber: await nextNumber(session, table, fund.id),
          cutOffDate: today,
          ...kind.initial(screen.url.searchParams, today),
        };
        return { table, fund: await withInvestments(session, fund), choice, stored: null, entered: entered ?? {} };
      }),
    ),
    readStored: readScreen(permission, ({ db, params }) =>
      db(async (session) => {
        const { header, entered } = await kind.stored(session, params.id ?? '');
        const { id, callNumber, drafts, issued, investors, version, fundId, cutOffDate } = header;
        const state = drafts === investors ? 'draft' : issued === investors ? 'issued' : 'closed';
        const shared = { header: id, headerVersion: String(version), investors: 'same', fund: fundId };
        return {
          table,
          fund: await withInvestments(session, await readFund(session, fundId)),
          choice: null,
          stored: { id, callNumber, state, investors } as const,
          entered: { ...shared, cutOffDate, callNumber, ...entered },
        };
      }),
    ),
    actOnNew: act(
      {
        ...intents(kind.form, enter, (_, [first]) => (first ? kind.pageTo(first.activityId) : kind.listTo)),
        ...kind.more,
      },
      limits,
    ),
    // What was issued gets another page.
    actOnStored: act(
      intents(kind.changeForm, enterChange, ({ header }, [first]) => kind.pageTo(first?.activityId ?? header)),
      limits,
    ),
    preview: act({
      new: previewIntent(table, kind.previewForms.new, (session, form) => enter(session, form, tried)),
      change: previewIntent(table, kind.previewForms.change, (session, form) => enterChange(session, form, tried)),
    }),
    review,
  };
}

/** The review that a form of this kind shows. */
export type ReviewOf<Kind extends { review: (...args: never) => Promise<unknown> }> = Awaited<
  ReturnType<Kind['review']>
>;
