import { buffer } from 'node:stream/consumers';
import type { CallOrigin } from '@tapeline/db/changed-by.ts';
import { type ImportedStatement, importStatements } from '@tapeline/db/operations/cash/import-statements.ts';
import { uploadedFile } from '@tapeline/db/operations/files/files.ts';
import type { StatementImport } from '@tapeline/domain/cash/bank-statement.schema.ts';
import { MAX_STATEMENT_BYTES } from '@tapeline/domain/cash/statement-limits.ts';
import { flagsAt, refuse } from '@tapeline/domain/errors/refusal.ts';
import { tooLarge } from '@tapeline/domain/files/buckets.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { objectKey } from '@tapeline/lake/storage/object-store.ts';
import type { RequestContext } from '../http/context.ts';

interface Caller {
  readonly context: RequestContext;
  readonly actor: UserActor;
  readonly origin: CallOrigin;
}

const PLACE = { bucket: 'bankStatements' } as const;

/** Imports an uploaded file of bank statements. @throws Refusal as `importStatements`; badRequest if it has not arrived */
export async function importStatementFile(
  { context, actor, origin }: Caller,
  { attachment, bankAccount, csvMapping }: StatementImport,
): Promise<ImportedStatement[]> {
  const file = await flagsAt(
    context.store.as(actor, (session) => uploadedFile(session, { ...PLACE, keyOrId: attachment.key }), {
      ...origin,
      isPreparation: true,
    }),
    () => 'attachment',
  );
  const key = objectKey(file.bucket, file.key);
  const head = await context.objects.head(key);
  if (!head || head.size > MAX_STATEMENT_BYTES) refuse(tooLarge(PLACE), { attachment: tooLarge(PLACE) });
  const bytes = await buffer(await context.objects.getStream(key));
  return flagsAt(
    context.store.as(
      actor,
      (session) =>
        importStatements(session, {
          file,
          bytes,
          bankAccountId: bankAccount ?? null,
          csvMapping: csvMapping ?? null,
        }),
      origin,
    ),
    (path) => (path === 'file' ? 'attachment' : path),
  );
}
