import type { LoaderFunctionArgs } from '@remix-run/node';
import { type LineTable, nextNumber } from '@tapeline/db/operations/capital/headers.ts';
import { getFund } from '@tapeline/db/operations/funds/funds.ts';
import type { Session } from '@tapeline/db/store.ts';
import type { PermissionKey } from '@tapeline/domain/people/actor.ts';
import type { z } from 'zod';
import { type Intent, intent, readScreen, type Screen } from '../../http/screen.server.ts';
import { atFields } from './capital-form.ts';
import { type FundOfForm, fundOfForm } from './fund-of-form.server.ts';

interface Entry<Schema extends z.ZodType<Record<string, unknown>>> {
  readonly permission: PermissionKey;
  readonly schema: Schema;
  /** The values as the fields of the form hold them. */
  readonly enteredOf: (form: z.output<Schema>) => object;
  /** The field of a path that an operation reports. */
  readonly fieldFor: (form: z.output<Schema>, path: string) => string;
  /** What would be stored. */
  readonly review: (form: z.output<Schema>, screen: Screen) => Promise<object>;
  /** Stores it, and returns where to go. */
  readonly save: (form: z.output<Schema>, screen: Screen, status: 'Draft' | 'Active') => Promise<Response>;
}

/** The intents of a form that is reviewed before it is stored as a draft or issued. */
export function entryIntents<Schema extends z.ZodType<Record<string, unknown>>>({
  permission,
  schema,
  enteredOf,
  fieldFor,
  review,
  save,
}: Entry<Schema>): Readonly<Record<'review' | 'change' | 'draft' | 'issue', Intent>> {
  const entry = { permission, schema };
  const shown = (form: z.output<Schema>) => ({ done: false, lastResult: { initialValue: enteredOf(form) } });
  const storing = (status: 'Draft' | 'Active') =>
    intent({
      ...entry,
      run: (form, screen) => atFields(save(form, screen, status), (path) => fieldFor(form, path)),
    });
  return {
    review: intent({
      ...entry,
      async run(form, screen) {
        const found = await atFields(review(form, screen), (path) => fieldFor(form, path));
        return Response.json({ intent: 'review', ...shown(form), review: found });
      },
    }),
    change: intent({ ...entry, run: async (form) => Response.json({ intent: 'change', ...shown(form) }) }),
    draft: storing('Draft'),
    issue: storing('Active'),
  };
}

/** The loader of a new call or distribution. */
export const readNewEntry = (args: LoaderFunctionArgs, table: LineTable) =>
  readScreen(args, `${table}/write`, (screen) =>
    screen.db(async (session) => {
      const { fund, choice } = await fundOfForm(session, screen);
      const callNumber = fund ? await nextNumber(session, table, fund.id) : '';
      return { fund, choice, today: session.now.toISOString().slice(0, 10), callNumber };
    }),
  );

/**
 * The fund of a draft that is changed.
 * @throws Refusal notFound for a fund that is not visible
 */
export async function fundOfDraft(session: Session, fundId: string): Promise<FundOfForm> {
  const { id, title, currency, classes, status, managerId } = await getFund(session, fundId);
  return { id, title, currency, classes, status, managerId };
}
