import type { Association, DocumentMetadata } from '@tapeline/domain/documents/document.schema.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { listQuerySchema } from '@tapeline/domain/filters/list-query.schema.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { CurrencyFigure } from '@tapeline/domain/money/totals.ts';
import { exactNumber } from '@tapeline/domain/wire/json.ts';
import { z } from 'zod';

/** Parameters of a call on one document. A malformed id matches nothing (404). */
export const idParamsSchema = z.object({ id: idSchema });

/** The list query vocabulary. The operation checks it against the collection's fields. */
export const listParamsSchema = listQuerySchema.loose();

/** Why a row failed: the rule, the column, and the cell as a person would see it. */
export const cellProblemSchema = z.object({
  rule: z.int(),
  column: z.string().nullable(),
  target: z.string(),
  value: z.string().nullable(),
  reason: z.string(),
});

export const groupBodySchema = z.object({
  key: z.union([z.string(), z.number(), z.boolean()]).nullable(),
  value: z.number().nullable(),
  count: z.int(),
  ids: z.array(z.string()).optional(),
  byCurrency: z
    .array(z.object({ currency: z.string().nullable(), value: z.number(), count: z.int() }))
    .optional()
    .meta({
      description:
        'Where the figure is made of amounts of money: one figure for each currency, with the documents it is made of. Amounts are never added across currencies: where a group has several, its value is null',
    }),
});

/** Groups in wire format. Their figures, and the keys of numeric fields, are numbers with all their digits. */
export function groupBodies<
  Group extends {
    key: string | number | boolean | null;
    value: DecimalText | null;
    byCurrency?: readonly CurrencyFigure[];
  },
>(found: { by: Field | null; groups: readonly Group[] }): unknown[] {
  const numeric = found.by?.type === 'number' || found.by?.type === 'decimal';
  return found.groups.map((group) => ({
    ...group,
    key: numeric && typeof group.key !== 'boolean' ? exactNumber(group.key) : group.key,
    value: exactNumber(group.value),
    ...(group.byCurrency
      ? { byCurrency: group.byCurrency.map((figure) => ({ ...figure, value: exactNumber(figure.value) })) }
      : {}),
  }));
}

interface StoredDocument {
  id: string;
  status: string;
  code?: number;
  version: number;
  metadata: DocumentMetadata;
  /** The tenant. Null or missing for documents that all tenants share. */
  managerId?: string | null | undefined;
}

/** The fields that all wire documents share. */
export const baseOf = <Document extends StoredDocument>(document: Document) => ({
  id: document.id,
  status: document.status as Document['status'],
  ...(document.code === undefined ? {} : { code: document.code }),
  version: document.version,
  metadata: { ...document.metadata },
  assoc: assocOf(document.managerId),
});

/** Documents belong to their manager. Documents that all tenants share belong to the admins. */
export const assocOf = (managerId: string | null | undefined): Association =>
  managerId ? { manager: { id: managerId } } : { admin: true };
