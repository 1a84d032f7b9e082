import { fileMetadataSchema } from '@tapeline/domain/documents/document.schema.ts';
import { latestRowCountsSchema, latestRowsSchema } from '@tapeline/domain/tapes/latest-rows/latest-rows.schema.ts';
import { LATEST_ROWS_SECONDS } from '@tapeline/workflows/latest-rows/activities.ts';
import { z } from 'zod';
import { keepLatestRows } from '../commands/latest-rows.server.ts';
import { type Endpoint, endpoint } from './endpoint.ts';

const latestRowsFileSchema = z
  .object({
    attachment: fileMetadataSchema.meta({ description: 'The new file, as if it was uploaded' }),
    sheetName: z.string(),
    counts: latestRowCountsSchema.meta({ description: 'What became of the rows of the sheet' }),
    notices: z
      .array(z.string())
      .meta({ description: 'Content of the sheet that cannot be read, and is not in the new file' }),
  })
  .meta({ id: 'LatestRowsFile' });

/** An extension of the specification. */
export const latestRowsEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/LTP/latestRows',
    access: 'assets/write',
    summary: `Make a new file from an uploaded file that has a row for each loan and month: the latest row of each loan, with the same header and columns. The uploaded file stays as it is; attach it to the tape among \`otherAttachments\`. The call answers within ${LATEST_ROWS_SECONDS} seconds; one that takes longer is refused and stopped. A user can run at most 2 at once, and closing the connection stops one`,
    body: latestRowsSchema,
    response: latestRowsFileSchema,
    status: 201,
    async handle({ body, actor, context, request }) {
      const { attachment, sheetName = null, idColumn, monthColumn, upTo = null } = body;
      const made = await keepLatestRows(
        { context, actor },
        { keyOrId: attachment.key, sheetName, idColumn, monthColumn, upTo },
        request.signal,
      );
      return {
        body: { attachment: made.attachment, sheetName: made.sheetName, counts: made.counts, notices: made.notices },
      };
    },
  }),
];
