import type { DocumentMetadata } from '@tapeline/db/entities/base.ts';
import { listQuerySchema } from '@tapeline/domain/filters/list-query.schema.ts';
import { z } from 'zod';

/** Parameters of a call on one document. Whatever is no id names nothing (404). */
export const idParamsSchema = z.object({ id: z.string().regex(/^[0-9a-fA-F]{24}$/) });

/** The list vocabulary; checked against the collection's fields by its operation. */
export const listParamsSchema = listQuerySchema.loose();

export const amountBodySchema = z.object({ sum: z.number(), currency: z.string() }).meta({ id: 'Amount' });

export const groupBodySchema = z.object({
  key: z.union([z.string(), z.number(), z.boolean()]).nullable(),
  value: z.union([z.string(), z.number()]).nullable(),
  count: z.int(),
  ids: z.array(z.string()).optional(),
});

/** What every document on the wire has. */
export const documentSchema = z.object({
  id: z.string(),
  status: z.string(),
  code: z.int().optional(),
  version: z.int(),
  metadata: z.record(z.string(), z.unknown()),
});

interface StoredDocument {
  id: string;
  status: string;
  code?: number;
  version: number;
  metadata: DocumentMetadata;
}

/** The part of a stored document that all wire documents share. */
export const baseOf = (document: StoredDocument): z.infer<typeof documentSchema> => ({
  id: document.id,
  status: document.status,
  ...(document.code === undefined ? {} : { code: document.code }),
  version: document.version,
  metadata: { ...document.metadata },
});
