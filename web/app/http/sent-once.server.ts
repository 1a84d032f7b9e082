import { redirect } from '@remix-run/node';
import { contentHash } from '@tapeline/db/operations/sent-requests/sent-requests.ts';
import type { Store } from '@tapeline/db/store.ts';
import { sightOf, type UserActor } from '@tapeline/domain/people/actor.ts';
import { z } from 'zod';
import type { RequestContext } from './context.ts';
import { FORM_KEY, SENT_CONTENT } from './form-key.ts';
import { once } from './once.server.ts';

const KEY = /^[0-9a-f]{32}$/;

/** Takes the key of a form and what identifies its content out of it. Null for a form without a key. */
export function takeFormKey(form: FormData): { key: string; content: string } | null {
  const key = form.get(FORM_KEY);
  const sent = form.get(SENT_CONTENT);
  form.delete(FORM_KEY);
  form.delete(SENT_CONTENT);
  if (typeof key !== 'string' || !KEY.test(key)) return null;
  return { key, content: typeof sent === 'string' ? sent : contentHash([...form.entries()]) };
}

/** What identifies a form and the files that came with it. @param files their fields, names and checksums */
export const contentOfForm = (form: FormData, files: readonly (readonly (string | null)[])[]): string =>
  contentHash([[...form.entries()].filter(([name]) => name !== FORM_KEY), [...files].sort()]);

const keptSchema = z.object({ to: z.string().nullable(), status: z.number(), body: z.unknown() });
type Kept = z.infer<typeof keptSchema>;

/** What a form answers that stored something: where it goes, what it says, or nothing. Undefined for a review. */
async function keptOf(outcome: unknown): Promise<Kept | undefined> {
  if (outcome === null || outcome === undefined) return { to: null, status: 200, body: null };
  if (!(outcome instanceof Response)) return undefined;
  const to = outcome.headers.get('location');
  if (to !== null) return { to, status: outcome.status, body: null };
  // A document, such as the preview of a notice, is made again each time.
  if (!outcome.headers.get('content-type')?.startsWith('application/json')) return undefined;
  const body: unknown = await outcome.clone().json();
  const isDone = typeof body === 'object' && body !== null && 'done' in body && body.done === true;
  return isDone ? { to: null, status: outcome.status, body } : undefined;
}

/**
 * Carries out a form once, however often it is sent: of a double click, the second request gets the answer of the first.
 * The same form with other values is another one. A form that only shows a review is answered each time.
 * @param run with the store that takes the key
 */
export async function sentOnce<Outcome>(
  { actor, url }: { readonly actor: UserActor; readonly url: URL },
  context: RequestContext,
  sent: { key: string; content: string } | null,
  run: (store: Store) => Promise<Outcome>,
): Promise<Outcome | Response | null> {
  if (sent === null) return run(context.store);
  const { userId } = actor;
  const content = contentHash([url.pathname, url.search, sightOf(actor), sent.content]);
  return once<Outcome | Response | null>(
    context.store,
    { userId, key: `form ${sent.key} ${content}`, content },
    {
      isKeyed: false,
      async run(store) {
        const outcome = await run(store);
        const kept = await keptOf(outcome);
        return { outcome, kept: kept ? { status: 200, text: JSON.stringify(kept) } : null };
      },
      repeat({ text }) {
        const { to, status, body } = keptSchema.parse(JSON.parse(text));
        if (to !== null) return redirect(to, status);
        return body === null ? null : Response.json(body, { status });
      },
      report: (error) => context.log.error({ err: error }, 'the answer to a form was not kept'),
    },
  );
}
