import {
  documentOfOffset,
  type FileOffset,
  fileOffsets,
  type OffsetList,
  readOffsetList,
} from '@tapeline/domain/borrowing-base/offset-list.ts';
import type { TapeTerms } from '@tapeline/domain/borrowing-base/publish.ts';
import type { BorrowingBaseResult, OffsetFile } from '@tapeline/domain/borrowing-base/result.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { TransactionContract } from '@tapeline/domain/facilities/contract.schema.ts';
import { readTapeDocument } from '@tapeline/lake/imports/read-tape-document.ts';
import { objectKey } from '@tapeline/lake/storage/object-store.ts';
import type { WorkerContext } from '../context.ts';

type Objects = Pick<WorkerContext, 'objects'>;
type OfTape = Pick<TapeTerms, 'cutOffDate' | 'mainCurrency'>;

/**
 * Reads what the documents of a tape have for the offsets of a contract.
 * @throws Refusal if the amounts of an offset are not known: there is no borrowing base without them
 */
export const readOffsetLists = (
  context: Objects,
  contract: Pick<TransactionContract, 'offsets'>,
  tape: OfTape,
  documents: readonly OffsetFile[],
): Promise<OffsetList[]> => readLists(context, contract, tape, (offset) => documentOfOffset(offset, documents));

/**
 * Reads the offsets of a certificate again, from the files that they were read from, whatever the tape has by now.
 * @throws Refusal as `readOffsetLists` does
 */
export const readOffsetListsAgain = (
  context: Objects,
  contract: Pick<TransactionContract, 'offsets'>,
  tape: OfTape,
  { totals: { offsets = [] } }: BorrowingBaseResult,
): Promise<OffsetList[]> =>
  readLists(context, contract, tape, ({ title }, rule) => {
    const file = offsets.find((one) => one.rule === rule)?.file;
    if (file) return file;
    // The contract was changed after the certificate.
    throw new Refusal('badRequest', `${title}: this certificate was calculated without it. Calculate it again first`);
  });

/** @param fileOf the file of an offset */
async function readLists(
  context: Objects,
  contract: Pick<TransactionContract, 'offsets'>,
  { cutOffDate, mainCurrency: currency }: OfTape,
  fileOf: (offset: FileOffset, rule: number) => OffsetFile,
): Promise<OffsetList[]> {
  const lists: OffsetList[] = [];
  // One at a time: each holds a whole file in memory.
  for (const { rule, offset } of fileOffsets(contract, cutOffDate)) {
    const { name, key } = fileOf(offset, rule);
    const table = await readTapeDocument(context.objects, objectKey('loanTapes', key), null).catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
      throw new Refusal('badRequest', `${offset.title}: ${name} cannot be read. ${error.message}`);
    });
    const headers = table.columns.map(({ header }) => header);
    const sheet = { kind: table.kind, headers, rows: table.rows };
    lists.push({ rule, file: { name, key }, groups: readOffsetList(sheet, offset, { name, currency }) });
  }
  return lists;
}

/** The lists as part of what a result is calculated from. Nothing for a contract without any. */
export const listsAsInputs = (lists: readonly OffsetList[]) =>
  lists.length === 0
    ? {}
    : { offsetLists: lists.map(({ groups, ...list }) => ({ ...list, groups: [...groups].sort() })) };
