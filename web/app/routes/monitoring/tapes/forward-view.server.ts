import { assetIdOf } from '@tapeline/db/ids.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { CHANGE_FIELDS, CHANGE_KINDS } from '@tapeline/domain/pools/changes.ts';
import { PAYMENT_COLUMNS } from '@tapeline/domain/pools/payment-proof.ts';
import { POOL_PARTS, ROLL_LINES } from '@tapeline/domain/pools/roll-forward.ts';
import { findTargetField } from '@tapeline/domain/tapes/target-schema.ts';
import type { RolledAsset } from '@tapeline/lake/roll-forward.ts';
import {
  openPayments,
  type PaymentChoice,
  paymentDocuments,
  proofOf,
  unprovedOf,
} from '../../../commands/payment-proof.server.ts';
import {
  assetsOfChange,
  assetsOfLine,
  convertedTotal,
  loanChangesOf,
  type RolledPair,
  rollPair,
} from '../../../commands/roll-forward.server.ts';
import { skipOf } from '../../../components/page/skip.ts';
import type { Screen } from '../../../http/screen.server.ts';
import { chosen, comparedPair } from './pool-views.server.ts';
import { LISTED_ASSETS } from './shown-pair.ts';

/** The roll-forward tab: why the balances of an earlier tape became those of this one, and which changes should not happen. */
export async function readForwardView(screen: Screen, tapeId: string) {
  const { before, after, choices } = await comparedPair(screen, tapeId);
  const rolled = before && (await rollPair(screen.context, screen.db, before, after));
  return {
    kind: 'forward' as const,
    against: before && { id: before.tape.id, cutOffDate: before.tape.cutOffDate },
    choices,
    /** Whether the reader says what happened to loans that left. */
    explains: can(screen.actor, 'assets/write') && screen.actor.type !== 'company',
    rolled: rolled && (await readRolled(screen, rolled)),
  };
}

async function readRolled(screen: Screen, rolled: RolledPair) {
  const { forward, after } = rolled;
  const [first] = forward.currencies;
  const isConverted = forward.currencies.length > 1 || (first && first.currency !== after.pool.currency);
  const { matched, changes } = await loanChangesOf(screen.context, rolled);
  return {
    forward,
    total: isConverted ? convertedTotal(rolled) : null,
    matched,
    changes: changes.map((change) => ({
      ...change,
      /** Labels of the fields that both tapes need. */
      needs: CHANGE_FIELDS[change.kind].map((path) => findTargetField(path)?.label ?? path),
    })),
    list: await readList(screen, rolled),
    payments: await readPaymentsPart(screen, rolled),
  };
}

/** The assets that the address asks for: those of a line, of a move between parts, or with a change. */
async function readList({ context, url }: Screen, rolled: RolledPair) {
  const asked = (name: string) => url.searchParams.get(name);
  const page = { skip: skipOf(url.searchParams), limit: LISTED_ASSETS };
  const change = chosen(asked('kind'), CHANGE_KINDS);
  const codes = rolled.forward.currencies.map(({ currency }) => currency);
  const choice = {
    line: chosen(asked('line'), ROLL_LINES) ?? undefined,
    currency: chosen(asked('currency'), codes) ?? undefined,
    from: chosen(asked('from'), POOL_PARTS) ?? undefined,
    to: chosen(asked('to'), POOL_PARTS) ?? undefined,
  };
  if (!change && !choice.line && !(choice.from && choice.to)) return null;
  const { assets, total } = change
    ? await assetsOfChange(context, rolled, change, page)
    : await assetsOfLine(context, rolled, choice, page);
  return { change, ...choice, total, assets: assets.map((asset) => listed(asset, rolled)) };
}

/** Each leads to the later tape. One that is not on it leads to the earlier tape. */
function listed({ before, after, ...asset }: RolledAsset, { tapes }: RolledPair) {
  const [side, tape] = after ? [after, tapes.after] : [before, tapes.before];
  return {
    ...asset,
    before,
    after,
    tapeId: tape.tapeId,
    id: assetIdOf(tape.assetPrefix, side?.row ?? 0),
  };
}

/** Columns that the address names: `column.assetId`. A form sends an empty text for none. */
const chosenColumns = ({ searchParams }: URL): PaymentChoice['columns'] =>
  Object.fromEntries(PAYMENT_COLUMNS.map((column) => [column, searchParams.get(`column.${column}`) ?? undefined]));

/** The payment file of the address; null if it names none. */
export function paymentChoice(url: URL): PaymentChoice | null {
  const file = url.searchParams.get('file') ?? '';
  if (!/^\d{1,4}$/.test(file)) return null;
  return { file: Number(file), sheet: url.searchParams.get('sheet') || undefined, columns: chosenColumns(url) };
}

/** What the payments of a file explain, if the address names one; and the documents that can be payment files. */
async function readPaymentsPart({ context, db, url }: Screen, rolled: RolledPair) {
  const documents = paymentDocuments(rolled.after);
  const choice = paymentChoice(url);
  const nothing = { documents, file: choice?.file ?? null, problem: null, opened: null };
  if (!choice) return nothing;
  try {
    const { read, ...opened } = await openPayments(context, db, rolled, choice);
    const page = { skip: skipOf(url.searchParams, 'unproved'), limit: LISTED_ASSETS };
    const proof = read && {
      rows: read.rows,
      otherPeriod: read.otherPeriod,
      unreadRows: read.unread.length,
      unread: read.unread.slice(0, 10),
      ...(await proofOf(context, rolled, opened, read)),
      list: await unprovedOf(context, rolled, read, page),
    };
    return { ...nothing, opened: { ...opened, proof } };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { ...nothing, problem: error.flags?.file ?? error.message };
  }
}
