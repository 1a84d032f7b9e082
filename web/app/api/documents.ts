import type { DocumentMetadata } from '@tapeline/db/entities/base.ts';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { listQuerySchema } from '@tapeline/domain/filters/list-query.schema.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { exactNumber } from '@tapeline/domain/wire/json.ts';
import { z } from 'zod';

/** Parameters of a call on one document. Whatever is no id names nothing (404). */
export const idParamsSchema = z.object({ id: z.string().regex(/^[0-9a-fA-F]{24}$/) });

/** The list vocabulary; checked against the collection's fields by its operation. */
export const listParamsSchema = listQuerySchema.loose();

export const amountBodySchema = z.object({ sum: z.number(), currency: z.string() }).meta({ id: 'Amount' });

export const groupBodySchema = z.object({
  key: z.union([z.string(), z.number(), z.boolean()]).nullable(),
  value: z.number().nullable(),
  count: z.int(),
  ids: z.array(z.string()).optional(),
});

/** Groups as the wire has them: their figures, and the keys of fields of numbers, are numbers with all their digits. */
export function groupBodies<Group extends { key: string | number | boolean | null; value: DecimalText | null }>(found: {
  by: Field | null;
  groups: readonly Group[];
}): unknown[] {
  const numeric = found.by?.type === 'number' || found.by?.type === 'decimal';
  return found.groups.map((group) => ({
    ...group,
    key: numeric && typeof group.key !== 'boolean' ? exactNumber(group.key) : group.key,
    value: exactNumber(group.value),
  }));
}

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
