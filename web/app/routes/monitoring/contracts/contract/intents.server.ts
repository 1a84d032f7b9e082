import { redirect } from '@remix-run/node';
import type { ContractFields } from '@tapeline/db/operations/transactions/contract-fields.ts';
import {
  activateContract,
  closeContract,
  copyContract,
  deleteDraft,
  getContract,
} from '@tapeline/db/operations/transactions/contracts.ts';
import type { Session } from '@tapeline/db/store.ts';
import type { TransactionContract } from '@tapeline/domain/facilities/contract.schema.ts';
import { z } from 'zod';
import { versionField } from '../../../../components/forms/version-field.ts';
import { type Intent, intent, type Screen } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import { changeContract } from '../edit-contract.server.ts';
import {
  certificationForm,
  defaultRateForm,
  detailsForm,
  ITEM_FORMS,
  itemOfForm,
  overlapForm,
  tapeLimitsForm,
} from '../item-forms.ts';
import { type ContractSection, moveItem, putItem, removeItem, SECTIONS, sectionItems, withItems } from '../sections.ts';

const permission = 'transactions/write';
const listIndex = z.coerce.number().int().min(0);
const idOf = ({ params }: Screen) => params.id ?? '';

/** The address of the part's list, keeping the trial's tape. */
function listOf(section: ContractSection, screen: Screen) {
  const tape = screen.url.searchParams.get('tape') ?? undefined;
  return paths.contract(idOf(screen), { tab: section, tape });
}

/**
 * Changes the terms of the draft.
 * @param change makes the new terms from those that are stored
 * @param leadsTo the address afterwards
 */
const changesTerms = <Schema extends z.ZodObject>(
  schema: Schema,
  change: (terms: TransactionContract, form: z.output<Schema>, fields: ContractFields) => unknown,
  leadsTo: (form: z.output<Schema>, screen: Screen) => string,
): Intent =>
  intent({
    permission,
    schema: schema.extend({ version: versionField }),
    async run(value, screen) {
      const { version: seen, ...rest } = value as { version: number };
      const form = rest as z.output<Schema>;
      const command = { id: idOf(screen), version: seen };
      await screen.db((session) => changeContract(session, command, (terms, fields) => change(terms, form, fields)));
      return redirect(leadsTo(form, screen));
    },
  });

const onItem = z.object({ section: z.enum(SECTIONS), index: listIndex });
const listOfItem = ({ section }: { section: ContractSection }, screen: Screen) => listOf(section, screen);

/** Saves one item of a part. `index` is "new" for a new item. */
const savesItem = (section: ContractSection): Intent =>
  changesTerms(
    ITEM_FORMS[section].extend({ index: z.union([z.literal('new'), listIndex]) }) as z.ZodObject,
    (terms, { index, ...form }, { catalog }) => {
      const item = itemOfForm(section, form, catalog) as never;
      return withItems(
        terms,
        section,
        putItem(sectionItems(terms, section), index === 'new' ? null : Number(index), item),
      );
    },
    (_, screen) => listOf(section, screen),
  );

/**
 * What cannot be undone. Without JavaScript the user has not confirmed yet, so the page asks at a separate address.
 * @param run returns the address afterwards; that of the contract if it returns nothing
 */
const confirms = (
  question: string,
  run: (session: Session, contract: { id: string; version: number }) => Promise<string | unknown>,
): Intent =>
  intent({
    permission,
    schema: z.object({ version: versionField, confirmed: z.literal('yes').optional() }),
    async run({ version: seen, confirmed }, screen) {
      const id = idOf(screen);
      if (!confirmed) return redirect(paths.contract(id, { confirm: question }));
      const next = await screen.db((session) => run(session, { id, version: seen }));
      return redirect(typeof next === 'string' ? next : paths.contract(id));
    },
  });

export const intents: Readonly<Record<string, Intent>> = {
  ...Object.fromEntries(SECTIONS.map((section) => [`save-${section}`, savesItem(section)])),
  remove: changesTerms(
    onItem,
    (terms, { section, index }) => withItems(terms, section, removeItem(sectionItems(terms, section), index)),
    listOfItem,
  ),
  move: changesTerms(
    onItem.extend({ by: z.enum(['-1', '1']) }),
    (terms, { section, index, by }) =>
      withItems(terms, section, moveItem(sectionItems(terms, section), index, by === '1' ? 1 : -1)),
    listOfItem,
  ),
  defaultRate: changesTerms(
    defaultRateForm,
    (terms, { defaultRate }) => ({ ...terms, advanceRate: { ...terms.advanceRate, defaultRate } }),
    (_, screen) => listOf('advance', screen),
  ),
  overlap: changesTerms(
    overlapForm,
    (terms, { overlap }) => ({ ...terms, overlap }),
    (_, screen) => listOf('concentration', screen),
  ),
  certification: changesTerms(
    certificationForm,
    ({ certification: _, ...terms }, { certifying, text }) =>
      certifying === 'optional'
        ? terms
        : { ...terms, certification: { drawsUseAccepted: certifying === 'beforeDraws', ...(text ? { text } : {}) } },
    (_, screen) => listOf('advance', screen),
  ),
  tapeLimits: changesTerms(
    tapeLimitsForm,
    ({ tapeLimits: _, ...terms }, { changedPercent, leftPercent }) =>
      changedPercent === undefined && leftPercent === undefined
        ? terms
        : { ...terms, tapeLimits: { changedPercent: changedPercent ?? null, leftPercent: leftPercent ?? null } },
    (_, screen) => listOf('advance', screen),
  ),
  details: changesTerms(
    detailsForm,
    (terms, details) => ({ ...terms, ...details }),
    (_, screen) => paths.contract(idOf(screen)),
  ),
  newVersion: intent({
    permission,
    schema: z.object({}),
    async run(_, screen) {
      const { id } = await screen.db((session) => copyContract(session, { id: idOf(screen) }));
      return redirect(paths.contract(id));
    },
  }),
  activate: confirms('activate', activateContract),
  close: confirms('close', (session, { id }) => closeContract(session, { id })),
  deleteDraft: confirms('deleteDraft', async (session, { id }) => {
    const { transactionId } = await getContract(session, id);
    await deleteDraft(session, { id });
    return paths.transaction(transactionId);
  }),
};
