import { currencyOfCompany, getCompany } from '@tapeline/db/operations/companies/companies.ts';
import { uploadedFile } from '@tapeline/db/operations/files/files.ts';
import { mappingForUpload } from '@tapeline/db/operations/mappings/mappings.ts';
import { wireAmountSchema } from '@tapeline/domain/money/amount.schema.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { tapeCheckSchema } from '@tapeline/domain/tapes/check.schema.ts';
import { CHECK_CODES } from '@tapeline/domain/tapes/check-code.ts';
import { CHECK_FIX_KINDS } from '@tapeline/domain/tapes/check-fixes.ts';
import { MAX_CHECK_GROUPS, MAX_GROUP_ROWS } from '@tapeline/domain/tapes/tape-check.ts';
import { CHECK_SECONDS } from '@tapeline/workflows/check/activities.ts';
import { z } from 'zod';
import { checkTape } from '../commands/checks.server.ts';
import { type Endpoint, endpoint, LARGE_BODY_BYTES } from './endpoint.ts';

const groupSchema = z
  .object({
    kind: z.enum(['error', 'warning']),
    rule: z.int().meta({ description: 'Position of the rule, from 1; 0 if the reason is in the row itself' }),
    column: z.string().nullable().meta({ description: 'The header; null for a computed column' }),
    target: z.string(),
    label: z.string(),
    code: z.enum(CHECK_CODES),
    reason: z.string().meta({ description: 'The reason without the value' }),
    value: z.string().nullable().meta({ description: 'The cell, if it is the same in all rows of the group' }),
    count: z.int().meta({ description: 'Rows of the whole file' }),
    rows: z
      .array(z.object({ row: z.int(), value: z.string().nullable(), reason: z.string() }))
      .meta({ description: `The first rows, ${MAX_GROUP_ROWS} at most` }),
    fixes: z.array(z.object({ kind: z.enum(CHECK_FIX_KINDS), value: z.string().nullable() })).meta({
      description:
        'Changes of the rule that correct all rows of the group. omit: a step before the others makes the value missing. status: a case says which status the value means. leaveEmpty: onUnreadable is empty',
    }),
  })
  .meta({ id: 'CheckGroup' });

const checkedFileSchema = z
  .object({
    sheetName: z.string(),
    rows: z.int().meta({ description: 'Rows with data: assets and errored rows add up to them' }),
    blankRows: z.int(),
    assets: z.int(),
    errored: z.int(),
    warned: z.int().meta({ description: 'Assets with at least one warning' }),
    groups: z
      .array(groupSchema)
      .meta({ description: `Errors before warnings, those with the most rows first; ${MAX_CHECK_GROUPS} at most` }),
    moreGroups: z.int().meta({ description: 'Groups that are not listed' }),
    balances: z
      .array(wireAmountSchema)
      .meta({ description: 'Outstanding balance of the assets in each currency; empty if the mapping makes none' }),
  })
  .meta({ id: 'CheckedFile' });

/** An extension of the specification. */
export const checkEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/LTP/checks',
    access: 'preview/read',
    summary: `Check every row of an uploaded file against a mapping, before a tape is made of it: the counts are those of the processed tape. Nothing is stored. A Consistent check compares with the company’s earlier tape for those who may read assets, and is skipped for others. The call answers within ${CHECK_SECONDS} seconds; a check that takes longer is refused and stopped. A user can run at most 2 checks at once, and closing the connection stops one`,
    body: tapeCheckSchema,
    maxBodyBytes: LARGE_BODY_BYTES,
    response: checkedFileSchema,
    status: 200,
    async handle({ body, actor, context, request, db }) {
      const { companyId, assetsETL: mappingId, cutOffDate, sheetName } = body;
      const { file, asked } = await db(async (session) => {
        const company = await getCompany(session, companyId);
        const found = await uploadedFile(session, { bucket: 'loanTapes', keyOrId: body.attachment.key });
        if (body.rules) {
          const primaryCurrency = body.currency ?? currencyOfCompany(company, 'currency');
          return { file: found, asked: { rules: body.rules, primaryCurrency, sheetName: sheetName ?? null } };
        }
        const mapping = await mappingForUpload(session, { companyId, ...(mappingId ? { mappingId } : {}) });
        const { rules, primaryCurrency, loanTapeSheetName } = mapping;
        const sheet = sheetName ? { sheetName } : { sheetName: loanTapeSheetName, isMappingsSheet: true };
        return { file: found, asked: { rules, primaryCurrency, ...sheet } };
      });
      const earlierOf = can(actor, 'assets/read') ? companyId : null;
      const input = { fileId: file.id, cutOffDate, companyId: earlierOf, ...asked };
      return { body: await checkTape({ context, actor }, input, { signal: request.signal }) };
    },
  }),
];
