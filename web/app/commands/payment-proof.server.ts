import { readableFileOf } from '@tapeline/db/operations/files/readable-files.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import {
  PAYMENT_COLUMN_LABELS,
  PAYMENT_COLUMNS,
  type PaymentColumn,
  type PaymentMapping,
  proposedColumns,
  type ReadPayments,
  readPayments,
} from '@tapeline/domain/pools/payment-proof.ts';
import { readTapeDocument } from '@tapeline/lake/imports/read-tape-document.ts';
import { paymentProof, unprovedLoans } from '@tapeline/lake/payment-proof.ts';
import { objectKey } from '@tapeline/lake/storage/object-store.ts';
import type { RequestContext } from '../http/context.ts';
import { type AsCaller, type OpenTape, onceOverTapes } from './pool-analyses.server.ts';
import type { RolledPair } from './roll-forward.server.ts';

type Services = Pick<RequestContext, 'lake' | 'objects'>;

/** A document that is kept with a tape and can be a payment file. */
export interface PaymentDocument {
  /** Its index among the tape's other documents. */
  readonly index: number;
  readonly name: string;
}

/** The documents of the later tape that can be payment files. */
export const paymentDocuments = ({ tape }: OpenTape): PaymentDocument[] =>
  tape.otherAttachments.map(({ name }, index) => ({ index, name })).filter(({ name }) => /\.(csv|xlsx)$/i.test(name));

/** What the address or the call chooses of a payment file. Columns that are not chosen are proposed by their headers. */
export interface PaymentChoice {
  readonly file: number;
  readonly sheet?: string | undefined;
  /** The header for each column; an empty text for none. */
  readonly columns: Readonly<Partial<Record<PaymentColumn, string | undefined>>>;
}

/** A payment file as it was read with the chosen columns. */
export interface OpenPayments {
  readonly name: string;
  readonly sheetName: string;
  readonly sheets: readonly string[];
  readonly headers: readonly string[];
  readonly mapping: PaymentMapping;
  /** Problems of the columns; the payments are then not read. */
  readonly problems: Readonly<Partial<Record<PaymentColumn, string>>>;
  readonly read: ReadPayments | null;
  /** Identifies what was read, for results that follow from it. */
  readonly key: string;
}

function mappingOf(headers: readonly string[], columns: PaymentChoice['columns']): PaymentMapping {
  const proposed = proposedColumns(headers);
  return Object.fromEntries(
    PAYMENT_COLUMNS.map((column) => [
      column,
      columns[column] === undefined ? proposed[column] : columns[column] || null,
    ]),
  ) as PaymentMapping;
}

function problemsOf(headers: readonly string[], mapping: PaymentMapping) {
  const problems: Partial<Record<PaymentColumn, string>> = {};
  for (const column of PAYMENT_COLUMNS) {
    const header = mapping[column];
    if (header !== null && !headers.includes(header)) problems[column] = 'is not a column of the file';
  }
  if (mapping.assetId === null) problems.assetId = 'is needed: choose the column with the ids of the loans';
  if (mapping.principal === null && mapping.advance === null && mapping.writtenOff === null)
    problems.principal = `is needed, or ${PAYMENT_COLUMN_LABELS.advance.toLowerCase()} or ${PAYMENT_COLUMN_LABELS.writtenOff.toLowerCase()}`;
  return problems;
}

/**
 * Reads a payment file among the other documents of the later tape, for the period between the two tapes.
 * @throws Refusal badRequest with the flag `file` if it is none, cannot be read, or is too large; notFound if the actor
 *   may not read it
 */
export async function openPayments(
  { lake, objects }: Services,
  asCaller: AsCaller,
  { before, after }: Pick<RolledPair, 'before' | 'after'>,
  { file, sheet, columns }: PaymentChoice,
): Promise<OpenPayments> {
  const attachment = after.tape.otherAttachments[file];
  if (!attachment) throw new Refusal('badRequest', undefined, { flags: { file: 'is not a document of the tape' } });
  const stored = await asCaller((session) => readableFileOf(session, { bucket: 'loanTapes', keyOrId: attachment.key }));
  const object = objectKey(stored.bucket, stored.key);
  const period = { after: before.tape.cutOffDate, upTo: after.tape.cutOffDate };
  const key = `payments ${JSON.stringify([object, sheet ?? null, columns, period])}`;
  const kept = await lake.cache.get(key, async () => {
    const table = await readTapeDocument(objects, object, sheet || null);
    const headers = table.columns.map(({ header }) => header);
    const mapping = mappingOf(headers, columns);
    const problems = problemsOf(headers, mapping);
    const isReady = Object.keys(problems).length === 0;
    const read = isReady ? readPayments({ kind: table.kind, headers, rows: table.rows }, mapping, period) : null;
    const sheets = table.sheets.map(({ name }) => name);
    const result = { name: stored.name, sheetName: table.sheetName, sheets, headers, mapping, problems, read, key };
    return { result, bytes: 2 * JSON.stringify(result).length };
  });
  return kept.result;
}

/** What the payments prove of the change between the two tapes. */
export const proofOf = (
  { lake }: Pick<Services, 'lake'>,
  { tapes }: RolledPair,
  { key }: Pick<OpenPayments, 'key'>,
  read: ReadPayments,
) => onceOverTapes({ lake }, `proof ${key}`, [tapes.before, tapes.after], () => paymentProof(lake, tapes, read.loans));

/** The loans whose balances the payments do not explain. */
export const unprovedOf = (
  { lake }: Pick<Services, 'lake'>,
  { tapes }: RolledPair,
  read: ReadPayments,
  page: { readonly skip: number; readonly limit: number },
) => unprovedLoans(lake, tapes, read.loans, page);
