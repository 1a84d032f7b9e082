import { z } from 'zod';
import { idSchema } from '../documents/id.schema.ts';

/** What is held after a restore until an administrator decides, with its label. */
export const HOLD_KINDS = { email: 'Email' } as const satisfies Readonly<Record<string, string>>;
export type HoldKind = keyof typeof HOLD_KINDS;

/** What an administrator decides about a held item. A dropped one is never sent. */
export const HOLD_DECISIONS = ['Release', 'Drop'] as const;
export type HoldDecision = (typeof HOLD_DECISIONS)[number];

/** Most items that one call decides about by their ids. */
export const MAX_DECIDED = 500;

/** Items by their ids, or all that are held. */
export const decideHeldSchema = z
  .strictObject({
    ids: z.array(idSchema).min(1, 'choose at least one').max(MAX_DECIDED).optional(),
    all: z.literal(true).optional(),
    decision: z.enum(HOLD_DECISIONS),
  })
  .refine(({ ids, all }) => (ids === undefined) !== (all === undefined), {
    path: ['ids'],
    message: 'give either ids or all',
  });
export type DecideHeld = z.infer<typeof decideHeldSchema>;

const instant = z.iso.datetime({ offset: true });

export const heldItemSchema = z
  .object({
    id: idSchema,
    kind: z.enum(Object.keys(HOLD_KINDS) as [HoldKind, ...HoldKind[]]),
    title: z.string().meta({ description: 'Of an email: its subject' }),
    to: z.string().meta({ description: 'Of an email: its address now' }),
    name: z.string(),
    createdAt: instant,
    page: z.string().meta({ description: 'The path of the page that it is about' }),
  })
  .meta({ id: 'HeldItem' });
export type HeldItem = z.infer<typeof heldItemSchema>;

export const holdSchema = z
  .object({
    id: idSchema,
    kind: heldItemSchema.shape.kind,
    backupAt: instant.meta({ description: 'When the backup was made that was restored' }),
    startedAt: instant,
    endedAt: instant.nullable(),
    held: z.int().meta({ description: 'How many items wait for a decision' }),
  })
  .meta({ id: 'Hold' });
export type Hold = z.infer<typeof holdSchema>;
