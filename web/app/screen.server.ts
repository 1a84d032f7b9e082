import type { SubmissionResult } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import type { Session } from '@tapeline/db/store.ts';
import { ERROR_CATALOGUE, isRefusal, type Refusal } from '@tapeline/domain/errors/refusal.ts';
import { can, type PermissionKey, type UserActor } from '@tapeline/domain/people/actor.ts';
import type { z } from 'zod';
import type { RequestContext } from './context.ts';
import { readForm } from './csrf.server.ts';
import { answerError, answerRefusal } from './errors.server.ts';
import { paths } from './paths.ts';
import { findSession, originOf } from './session.server.ts';

/** What a loader or an action of a signed-in screen works with. */
export interface Screen {
  readonly actor: UserActor;
  /** The sign-in this browser belongs to. */
  readonly familyId: string;
  readonly context: RequestContext;
  readonly request: Request;
  readonly url: URL;
  readonly params: Readonly<Record<string, string | undefined>>;
  /** Runs operations in one database transaction, in the actor's sight. */
  db<Result>(work: (session: Session) => Promise<Result>): Promise<Result>;
}

type Arguments = LoaderFunctionArgs | ActionFunctionArgs;

async function openScreen({ request, params, context }: Arguments, permission: PermissionKey | null): Promise<Screen> {
  const url = new URL(request.url);
  const session = await findSession(request, context);
  if (!session) {
    const here = url.pathname + url.search;
    throw redirect(paths.login({ next: here === '/' ? undefined : here }));
  }
  if (permission && !can(session.actor, permission)) {
    throw answerError(context, 'forbidden', 'You do not have enough permissions to perform this action');
  }
  return {
    ...session,
    context,
    request,
    url,
    params,
    db: (work) => context.store.as(session.actor, work, originOf(request, context)),
  };
}

/**
 * The loader of a signed-in screen: asks for a sign-in, checks the permission, and turns refusals into the error catalogue's answers.
 * @param permission what one must be allowed to; null where being signed in is enough
 */
export async function readScreen<Result>(
  args: LoaderFunctionArgs,
  permission: PermissionKey | null,
  work: (screen: Screen) => Promise<Result> | Result,
): Promise<Result> {
  const screen = await openScreen(args, permission);
  try {
    return await work(screen);
  } catch (error) {
    if (isRefusal(error)) throw answerRefusal(args.context, error);
    throw error;
  }
}

/** One thing that can be done on a screen: what it needs, the form it reads, the operation it calls. */
export interface Intent<Schema extends z.ZodType = z.ZodType> {
  readonly permission: PermissionKey | null;
  readonly schema: Schema;
  /** Calls one operation and says where to go: `redirect(...)`, or nothing to stay. */
  run(value: z.output<Schema>, screen: Screen): Promise<Response | null | undefined>;
}

/** Gives an intent its types: `intent({ permission, schema, run })`. */
export const intent = <Schema extends z.ZodType>(one: Intent<Schema>): Intent => one as unknown as Intent;

/** What an action answers when it did not redirect; a form takes the `lastResult` of its own intent. */
export interface ActionAnswer {
  readonly intent: string;
  readonly lastResult: SubmissionResult<string[]>;
  readonly done: boolean;
}

/** A refusal as faults of the form: flags at their fields, everything else on top. */
function faultsOf(
  refusal: Refusal,
  names: readonly string[],
): { formErrors: string[]; fieldErrors: Record<string, string[]> } {
  const fieldErrors: Record<string, string[]> = {};
  const formErrors: string[] = [];
  for (const [path, reason] of Object.entries(refusal.flags ?? {})) {
    if (names.some((name) => name === path || name.startsWith(`${path}.`) || name.startsWith(`${path}[`)))
      fieldErrors[path] = [reason];
    else formErrors.push(`${path} ${reason}`);
  }
  return {
    fieldErrors,
    formErrors: formErrors.length > 0 || Object.keys(fieldErrors).length === 0 ? [refusal.message] : [],
  };
}

/**
 * The action of a signed-in screen: reads the form (its token checked), picks the intent by the hidden field `intent`, parses by the
 * intent's schema and runs it. Faults of the form and refusals of the operation come back as a 422 with entered values kept.
 * @param intents by name; a page with one form has one
 */
export async function act(args: ActionFunctionArgs, intents: Readonly<Record<string, Intent>>) {
  const form = await readForm(args.request, args.context);
  const names = Object.keys(intents);
  const name = String(form.get('intent') ?? (names.length === 1 ? names[0] : ''));
  const chosen = Object.hasOwn(intents, name) ? intents[name] : undefined;
  if (!chosen)
    throw answerError(args.context, 'badRequest', 'Your action request is invalid and requires additional information');
  const screen = await openScreen(args, chosen.permission);
  form.delete('intent');
  const submission = parseWithZod(form, { schema: chosen.schema as z.ZodType<Record<string, unknown>> });
  const answer = (lastResult: SubmissionResult<string[]>, done: boolean): ActionAnswer => ({
    intent: name,
    lastResult,
    done,
  });
  if (submission.status !== 'success') return data(answer(submission.reply(), false), { status: 422 });
  try {
    const response = await chosen.run(submission.value, screen);
    return response ?? data(answer(submission.reply({ resetForm: true }), true));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (error.code === 'notFound' || error.code === 'unauthorized') throw answerRefusal(args.context, error);
    const faults = faultsOf(error, [...form.keys()]);
    return data(answer(submission.reply(faults), false), {
      status: error.code === 'badRequest' ? 422 : ERROR_CATALOGUE[error.code].status,
    });
  }
}
