import type { SubmissionResult } from '@conform-to/react';
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import type { Session } from '@tapeline/db/store.ts';
import { formatInstant } from '@tapeline/domain/dates/instant.ts';
import { fieldInSentence, isTechnical } from '@tapeline/domain/documents/field-labels.ts';
import { type Conflict, ERROR_CATALOGUE, isRefusal, type Refusal } from '@tapeline/domain/errors/refusal.ts';
import { can, type PermissionKey, readKeyOf, type UserActor } from '@tapeline/domain/people/actor.ts';
import { z } from 'zod';
import { paths } from '../paths.ts';
import { ASKED, CONFIRMED, confirmedIn } from './confirmed.ts';
import type { RequestContext } from './context.ts';
import { type FormLimits, readForm } from './csrf.server.ts';
import { errorAnswer, refusalAnswer, screenMessage } from './errors.server.ts';
import type { FormFile } from './form-body.server.ts';
import { intentOf, LIST_EDIT, type ListEdit, OTHER_INTENT, readIntent, readListEdit } from './list-edits.ts';
import { withinFilter } from './narrowing.server.ts';
import { parseForm } from './parse-form.ts';
import { sentOnce, takeFormKey } from './sent-once.server.ts';
import { findSession, originOf } from './session.server.ts';

/** What a loader or an action of a signed-in screen works with. */
export interface Screen {
  readonly actor: UserActor;
  /** The sign-in that this browser belongs to. */
  readonly familyId: string;
  readonly context: RequestContext;
  readonly request: Request;
  readonly url: URL;
  readonly params: Readonly<Record<string, string | undefined>>;
  /** The warnings that the form confirms. */
  readonly confirmed: readonly string[];
  /** Runs operations in one database transaction as the actor. In an action, unconfirmed warnings are asked about. */
  db<Result>(work: (session: Session) => Promise<Result>): Promise<Result>;
  /** Like `db`, and then undoes everything: a review of what would happen. */
  dryRun<Result>(work: (session: Session) => Promise<Result>): Promise<Result>;
}

type Arguments = LoaderFunctionArgs | ActionFunctionArgs;

type Work<Result> = (screen: Screen) => Promise<Result> | Result;

/** A form shows what is in its document and what it can be about, so it needs the permission to read as well. */
function requirePermission(context: RequestContext, actor: UserActor, permission: PermissionKey | null): void {
  if (permission && !(can(actor, permission) && can(actor, readKeyOf(permission)))) {
    throw errorAnswer(context, 'forbidden', 'You do not have enough permissions to perform this action');
  }
}

async function openAnyScreen({ request, params, context }: Arguments): Promise<Screen> {
  const url = new URL(request.url);
  const session = await findSession(request, context);
  if (!session) throw redirect(paths.login({ next: nextOf(url) }));
  return {
    ...session,
    context,
    request,
    url,
    params,
    confirmed: [],
    db: (work) => context.store.as(session.actor, work, originOf(request, context)),
    dryRun: (work) => context.store.as(session.actor, work, { ...originOf(request, context), rollback: true }),
  };
}

/** Where to return to after signing in. */
function nextOf(url: URL): string | undefined {
  const here = url.pathname + url.search;
  return here === '/' ? undefined : here;
}

async function openScreen(args: Arguments, permission: PermissionKey | null): Promise<Screen> {
  const screen = await openAnyScreen(args);
  if (screen.actor.onboarding.length > 0) throw redirect(paths.welcome({ next: nextOf(screen.url) }));
  requirePermission(args.context, screen.actor, permission);
  return screen;
}

/**
 * The loader of a signed-in screen. Requires a sign-in, checks the permission, and converts refusals to answers of the
 * error catalogue.
 * @param permission the required permission; null if being signed in is enough
 */
export const readScreen =
  <Result>(permission: PermissionKey | null, work: Work<Result>) =>
  async (args: LoaderFunctionArgs): Promise<Result> => {
    const screen = await openScreen(args, permission);
    const { context, request } = args;
    const actor = await withinFilter(screen.actor, request, context);
    const narrowed = {
      ...screen,
      actor,
      db: <Found>(each: (session: Session) => Promise<Found>) =>
        context.store.as(actor, each, originOf(request, context)),
    };
    return readOpened(actor === screen.actor ? screen : narrowed, work);
  };

/**
 * Like `readScreen`, for what belongs to one manager, such as a new fund: an administrator who acts for all managers
 * chooses one first.
 */
export const readScreenOfManager =
  <Result>(permission: PermissionKey, work: Work<Result>) =>
  async (args: LoaderFunctionArgs): Promise<Result> => {
    const screen = await openScreen(args, permission);
    if (screen.actor.managerId === null) throw redirect(paths.actingFor({ next: nextOf(screen.url) }));
    return readOpened(screen, work);
  };

/** Like `readScreen`, for the screen of the steps that remain before anything else opens. */
export const readWelcome =
  <Result>(work: Work<Result>) =>
  async (args: LoaderFunctionArgs): Promise<Result> =>
    readOpened(await openAnyScreen(args), work);

async function readOpened<Result>(screen: Screen, work: Work<Result>): Promise<Result> {
  try {
    return await work(screen);
  } catch (error) {
    if (isRefusal(error)) throw refusalAnswer(screen.context, error);
    throw error;
  }
}

/** Where to go, or data to answer with; nothing to stay on the page. */
type Outcome = Response | ReturnType<typeof data> | null | undefined;

/** A form as an intent reads it. */
interface ReadForm {
  reply: (options?: ReplyOptions) => SubmissionResult<string[]>;
  /** Calls the intent's operation; null if the form has errors. */
  run: ((screen: Screen) => Promise<Outcome>) | null;
}

type ReplyOptions = { resetForm: true } | { formErrors: string[]; fieldErrors: Record<string, string[]> };

/** One action of a screen: the permission it needs, and how it reads and runs its form. */
export interface Intent {
  readonly permission: PermissionKey | null;
  read(form: FormData): ReadForm;
}

/**
 * Defines an intent by its permission, the schema of its form, and what it does.
 * @param definition.run calls one operation and returns where to go: `redirect(...)`, data to answer with, or nothing to stay on
 *   the page
 */
export const intent = <Schema extends z.ZodType<Record<string, unknown>>>(definition: {
  permission: PermissionKey | null;
  schema: Schema;
  run: (value: z.output<Schema>, screen: Screen) => Promise<Outcome>;
}): Intent => ({
  permission: definition.permission,
  read(form) {
    const submission = parseForm(form, definition.schema);
    return {
      reply: (options) => submission.reply(options),
      run: submission.status === 'success' ? (screen) => definition.run(submission.value, screen) : null,
    };
  },
});

/**
 * Like `intent`, for what moves money, tells outsiders or cannot be undone: `ConfirmedAction` asks first. Without
 * JavaScript the page asks, at the address that this redirects to.
 * @param definition.asks the question of the page, as its `ConfirmedAction` names it
 */
export const confirmedIntent = <Schema extends z.ZodObject>({
  asks,
  ...definition
}: {
  permission: PermissionKey | null;
  schema: Schema;
  asks: string | ((value: z.output<Schema>) => string);
  run: (value: z.output<Schema>, screen: Screen) => Promise<Outcome>;
}): Intent =>
  intent({
    permission: definition.permission,
    schema: definition.schema.extend({ confirmed: z.literal('yes').optional() }),
    async run(form, screen) {
      const value = form as z.output<Schema> & { confirmed?: 'yes' };
      if (value.confirmed) return definition.run(value, screen);
      const search = new URLSearchParams(screen.url.search);
      search.set(ASKED, typeof asks === 'string' ? asks : asks(value));
      return redirect(`${screen.url.pathname}?${search}`);
    },
  });

/** What an action answers if it did not redirect. A form takes the `lastResult` of its own intent. */
export interface ActionAnswer {
  readonly intent: string;
  readonly lastResult: SubmissionResult<string[]>;
  readonly done: boolean;
  /** What looks like a mistake. Nothing is stored until the person confirms it; `ScreenForm` asks. */
  readonly questions?: readonly string[];
  /** The ids of the documents that questions are about, by question. */
  readonly askedAbout?: Readonly<Record<string, string>>;
}

/** Converts a refusal to form errors: flags at their fields, everything else at the top. */
function problemsOf(
  refusal: Refusal,
  names: readonly string[],
): { formErrors: string[]; fieldErrors: Record<string, string[]> } {
  const fieldErrors: Record<string, string[]> = {};
  const formErrors: string[] = [];
  for (const [flag, reason] of Object.entries(refusal.flags ?? {})) {
    // An operation names a list's entry `banks.0.title`, a form `banks[0].title`.
    const path = flag.replaceAll(/\.(\d+)(?=\.|$)/g, '[$1]');
    if (names.some((name) => name === path || name.startsWith(`${path}.`) || name.startsWith(`${path}[`)))
      fieldErrors[path] = [reason];
    else formErrors.push(`${path} ${reason}`);
  }
  return {
    fieldErrors,
    formErrors: formErrors.length > 0 || Object.keys(fieldErrors).length === 0 ? [screenMessage(refusal)] : [],
  };
}

/**
 * The fields of a form that hold the version which somebody else has replaced. A form of two documents, such as a company
 * and its entity, may have two of the same number: then nothing tells which.
 */
const versionFields = (values: Readonly<Record<string, unknown>>, { sent }: Conflict): string[] => {
  const found = Object.entries(values).flatMap(([name, value]) =>
    /version$/i.test(name) && value === String(sent) ? [name] : [],
  );
  return found.length === 1 ? found : [];
};

/** Who changed which fields, and when: "Someone else has changed this (Mara Holt, 20 Nov 2026, 09:14 UTC: hard cap)." */
export async function conflictInWords(
  { db, actor }: Pick<Screen, 'db' | 'actor'>,
  conflict: Conflict,
): Promise<string> {
  const [change] = can(actor, 'history/read')
    ? await db((session) =>
        session.query<{ fields: string[] }>(
          'select fields from history where document_id = $1 order by changed_at desc, id desc limit 1',
          [conflict.documentId],
        ),
      )
    : [];
  const fields = (change?.fields ?? []).filter((name) => !isTechnical(name)).map(fieldInSentence);
  const what = fields.length > 0 ? `: ${fields.slice(0, 5).join(', ')}${fields.length > 5 ? ' and more' : ''}` : '';
  return `Someone else has changed this (${conflict.by}, ${formatInstant(conflict.at)} UTC${what}).`;
}

/**
 * Answers a form that somebody else was quicker than: says who changed what, and keeps what was entered. The form goes
 * on from the stored version, so that it can be saved knowingly.
 */
async function answerConflict(
  screen: Screen,
  conflict: Conflict,
  reply: ReadForm['reply'],
): Promise<SubmissionResult<string[]>> {
  const values = reply().initialValue ?? {};
  const replaced = versionFields(values, conflict);
  const next =
    replaced.length > 0
      ? 'What you entered is still here. Save again to replace their change, or reload the page to see it first.'
      : 'What you entered is still here, but was not saved. Reload the page, and make your change again.';
  const message = `${await conflictInWords(screen, conflict)} ${next}`;
  const latest = Object.fromEntries(replaced.map((name) => [name, String(conflict.latest)]));
  return { ...reply({ formErrors: [message], fieldErrors: {} }), initialValue: { ...values, ...latest } };
}

interface ScreenFormLimits extends Pick<FormLimits, 'maxBytes'> {
  /** The lists whose entries `ListRows` adds, removes and moves. */
  readonly lists?: readonly string[];
  /** Files whose text becomes the field of this name. */
  readonly textFile?: { readonly field: string; readonly maxBytes: number };
  /** Stores the files that come with the form, if the actor has the permission, and returns the form without them. */
  readonly files?: { readonly permission: PermissionKey | null; readonly store: Work<Request> };
}

/** Reads one file as text into a field. A longer file is read to its end, and the field keeps enough to be refused. */
async function readTextFile(file: FormFile, into: FormData, { field, maxBytes }: { field: string; maxBytes: number }) {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of file.data) {
    if (bytes <= maxBytes) parts.push(part);
    bytes += part.length;
  }
  if (file.name !== '')
    into.set(
      field,
      Buffer.concat(parts)
        .subarray(0, maxBytes + 1)
        .toString('utf8'),
    );
}

/** Answers a form with one of its lists edited and everything else as it was entered. */
function answerListEdit(args: ActionFunctionArgs, form: FormData, name: string, edit: ListEdit | null): ActionAnswer {
  if (!edit) throw errorAnswer(args.context, 'badRequest', 'Reload the page and submit the form again');
  form.delete(LIST_EDIT);
  form.set('__intent__', JSON.stringify(intentOf(edit)));
  const { initialValue } = parseForm(form, z.looseObject({})).reply();
  return { intent: name, lastResult: { initialValue: initialValue ?? {} }, done: false };
}

/**
 * The action of a signed-in screen. Requires a sign-in, reads the form (and checks its token), selects the intent by
 * the hidden field `intent`, parses the form with the intent's schema and runs it. Form errors and refusals of the
 * operation are returned as a 422 that keeps the entered values.
 * @param intents by name; a page with one form has one
 * @param limits for a form with files, one that is larger than usual, or one that has lists whose entries `ListRows`
 *   adds and removes
 */
export const act =
  (intents: Readonly<Record<string, Intent>>, limits: ScreenFormLimits = {}) =>
  async (args: ActionFunctionArgs) => {
    const opened = await openScreen(args, limits.files?.permission ?? null);
    const request = limits.files ? await readOpened(opened, limits.files.store) : args.request;
    return actOn({ ...args, request }, { ...opened, request }, intents, limits);
  };

/** Like `act`, for the screen of the steps that remain before anything else opens. */
export const actOnWelcome = (intents: Readonly<Record<string, Intent>>) => async (args: ActionFunctionArgs) =>
  actOn(args, await openAnyScreen(args), intents, {});

async function actOn(
  args: ActionFunctionArgs,
  opened: Screen,
  intents: Readonly<Record<string, Intent>>,
  limits: ScreenFormLimits,
) {
  const { textFile } = limits;
  const texts = new FormData();
  const form = await readForm(args.request, args.context, {
    ...limits,
    ...(textFile ? { onFile: (file: FormFile) => readTextFile(file, texts, textFile) } : {}),
  });
  for (const [field, text] of texts) form.set(field, text);
  const sent = takeFormKey(form);
  const names = Object.keys(intents);
  const asked = String(form.get(OTHER_INTENT) ?? form.get('intent') ?? (names.length === 1 ? names[0] : ''));
  const { name, fields } = readIntent(asked);
  for (const [field, value] of fields) form.set(field, value);
  const chosen = Object.hasOwn(intents, name) ? intents[name] : undefined;
  if (!chosen)
    throw errorAnswer(args.context, 'badRequest', 'Your action request is invalid and requires additional information');
  requirePermission(args.context, opened.actor, chosen.permission);
  const confirmed = confirmedIn(form);
  const screenOn = (store: RequestContext['store']): Screen => ({
    ...opened,
    context: { ...opened.context, store },
    confirmed,
    db: (work) => store.as(opened.actor, work, { ...originOf(args.request, args.context), confirmed }),
  });
  form.delete('intent');
  form.delete(OTHER_INTENT);
  form.delete(CONFIRMED);
  const listEdit = form.get(LIST_EDIT);
  if (typeof listEdit === 'string')
    return data(answerListEdit(args, form, name, readListEdit(listEdit, limits.lists ?? [])));
  const { reply, run } = chosen.read(form);
  const answer = (lastResult: SubmissionResult<string[]>, done: boolean): ActionAnswer => ({
    intent: name,
    lastResult,
    done,
  });
  if (!run) return data(answer(reply(), false), { status: 422 });
  try {
    const response = await sentOnce(opened, args.context, sent, (store) => run(screenOn(store)));
    return response ?? data(answer(reply({ resetForm: true }), true));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (error.code === 'notFound' || error.code === 'unauthorized') throw refusalAnswer(args.context, error);
    if (error.questions)
      return data(
        {
          ...answer({ initialValue: reply().initialValue ?? {} }, false),
          questions: error.questions,
          askedAbout: error.askedAbout ?? {},
        },
        { status: 422 },
      );
    const refused = error.conflict
      ? await answerConflict(screenOn(args.context.store), error.conflict, reply)
      : reply(problemsOf(error, [...form.keys()]));
    return data(answer(refused, false), {
      status: error.code === 'badRequest' ? 422 : ERROR_CATALOGUE[error.code].status,
    });
  }
}
