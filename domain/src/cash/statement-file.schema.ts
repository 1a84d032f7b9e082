import { z } from 'zod';
import { documentSchema } from '../documents/document.schema.ts';
import { idSchema } from '../documents/id.schema.ts';
import { DELIVERY_OUTCOMES } from './statement-delivery.ts';

/** A file that a bank delivered, as the API returns it. */
export const statementFileSchema = documentSchema
  .extend({
    name: z.string().meta({ description: 'With the folder of its bank account, if it was delivered to one' }),
    size: z.int().meta({ description: 'Bytes' }),
    writtenAt: z.iso.datetime().meta({ description: 'When it was written' }),
    outcome: z.enum(DELIVERY_OUTCOMES),
    reason: z.string().nullable().meta({ description: 'Why it was refused, and what to do' }),
    file: idSchema
      .nullable()
      .meta({ description: 'The stored file; null for one that was refused and stays where it was delivered' }),
    statements: z.int().meta({ description: 'Statements of the file that are new' }),
    added: z.int().meta({ description: 'Lines that became payments' }),
  })
  .meta({ id: 'StatementFile' });
