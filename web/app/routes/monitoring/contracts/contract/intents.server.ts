import { redirect } from '@remix-run/node';
import {
  activateContract,
  closeContract,
  copyContract,
  deleteDraft,
  getContract,
} from '@tapeline/db/operations/transactions/contracts.ts';
import { z } from 'zod';
import { type Intent, intent, type Screen } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import { changeContract } from '../edit-contract.server.ts';
import { defaultRateForm, detailsForm, ITEM_FORMS, itemOfForm, overlapForm } from '../item-forms.ts';
import { itemsOf, moveItem, putItem, removeItem, SECTIONS, type Section, withItems } from '../sections.ts';

const permission = 'transactions/write';
const version = z.coerce.number().int().min(1);
const place = z.coerce.number().int().min(0);
const idOf = ({ params }: Screen) => params.id ?? '';

/** The address of the part's list, keeping the trial's tape. */
function backTo(section: Section, { url, params }: Screen) {
  const tape = url.searchParams.get('tape') ?? undefined;
  return redirect(paths.contract(params.id ?? '', { tab: section, tape }));
}

/** Saves one item of a part. `place` is "new" for a new item. */
const saveItem = (section: Section): Intent =>
  intent({
    permission,
    schema: ITEM_FORMS[section].extend({ version, place: z.union([z.literal('new'), place]) }),
    async run(value, screen) {
      const {
        version: seen,
        place: at,
        ...form
      } = value as { version: number; place: number | 'new' } & Record<string, unknown>;
      await screen.db((session) =>
        changeContract(session, { id: idOf(screen), version: seen }, (terms, { catalog }) =>
          withItems(
            terms,
            section,
            putItem(itemsOf(terms, section), at === 'new' ? null : at, itemOfForm(section, form, catalog) as never),
          ),
        ),
      );
      return backTo(section, screen);
    },
  });

/** Without JavaScript the user has not confirmed yet, so the page asks at a separate address. */
const confirmed = z.literal('yes').optional();
const ask = (question: string, screen: Screen) => redirect(paths.contract(idOf(screen), { confirm: question }));

const onItem = { section: z.enum(SECTIONS), place, version };

export const intents: Readonly<Record<string, Intent>> = {
  ...Object.fromEntries(SECTIONS.map((section) => [`save-${section}`, saveItem(section)])),
  remove: intent({
    permission,
    schema: z.object(onItem),
    async run({ section, place: at, version: seen }, screen) {
      await screen.db((session) =>
        changeContract(session, { id: idOf(screen), version: seen }, (terms) =>
          withItems(terms, section, removeItem(itemsOf(terms, section), at)),
        ),
      );
      return backTo(section, screen);
    },
  }),
  move: intent({
    permission,
    schema: z.object({ ...onItem, by: z.enum(['-1', '1']) }),
    async run({ section, place: at, version: seen, by }, screen) {
      await screen.db((session) =>
        changeContract(session, { id: idOf(screen), version: seen }, (terms) =>
          withItems(terms, section, moveItem(itemsOf(terms, section), at, by === '1' ? 1 : -1)),
        ),
      );
      return backTo(section, screen);
    },
  }),
  defaultRate: intent({
    permission,
    schema: defaultRateForm.extend({ version }),
    async run({ defaultRate, version: seen }, screen) {
      await screen.db((session) =>
        changeContract(session, { id: idOf(screen), version: seen }, (terms) => ({
          ...terms,
          advanceRate: { ...terms.advanceRate, defaultRate },
        })),
      );
      return backTo('advance', screen);
    },
  }),
  overlap: intent({
    permission,
    schema: overlapForm.extend({ version }),
    async run({ overlap, version: seen }, screen) {
      await screen.db((session) =>
        changeContract(session, { id: idOf(screen), version: seen }, (terms) => ({ ...terms, overlap })),
      );
      return backTo('concentration', screen);
    },
  }),
  details: intent({
    permission,
    schema: detailsForm.extend({ version }),
    async run({ version: seen, ...details }, screen) {
      await screen.db((session) =>
        changeContract(session, { id: idOf(screen), version: seen }, (terms) => ({ ...terms, ...details })),
      );
      return redirect(paths.contract(idOf(screen)));
    },
  }),
  newVersion: intent({
    permission,
    schema: z.object({}),
    async run(_, screen) {
      const made = await screen.db((session) => copyContract(session, { id: idOf(screen) }));
      return redirect(paths.contract(made.id));
    },
  }),
  activate: intent({
    permission,
    schema: z.object({ version, confirmed }),
    async run({ version: seen, ...asked }, screen) {
      if (!asked.confirmed) return ask('activate', screen);
      await screen.db((session) => activateContract(session, { id: idOf(screen), version: seen }));
      return redirect(paths.contract(idOf(screen)));
    },
  }),
  close: intent({
    permission,
    schema: z.object({ confirmed }),
    async run(asked, screen) {
      if (!asked.confirmed) return ask('close', screen);
      await screen.db((session) => closeContract(session, { id: idOf(screen) }));
      return redirect(paths.contract(idOf(screen)));
    },
  }),
  deleteDraft: intent({
    permission,
    schema: z.object({ confirmed }),
    async run(asked, screen) {
      if (!asked.confirmed) return ask('deleteDraft', screen);
      const transactionId = await screen.db(async (session) => {
        const contract = await getContract(session, idOf(screen));
        await deleteDraft(session, { id: contract.id });
        return contract.transactionId;
      });
      return redirect(paths.transaction(transactionId));
    },
  }),
};
